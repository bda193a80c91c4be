/* Prints what the harness found, on log and screen. */
#pragma once

#include "harness/report/outcomes.h"
#include "harness/report/report_text.h"

/* From now on all failures and measurements, or folded and capped. */
void report_set_full(bool full);
/* "# begin ID", the screen's line of the running test, and a heartbeat if one is due. quiet: no log line. */
void report_begin(const char *test, u32 number, u32 of, bool quiet);
/* As report_begin(), quiet, of a test in a soak run, which knows no number of tests but only seconds. */
void report_begin_soaking(const char *test, u32 second, u32 of);
/*
 * How far the running test is, after its name on the screen: ", 45 %". For the boot CPU, between measured blocks, as
 * often as one likes: drawn four times a second at most, and never in a test that takes less than that. True if drawn.
 */
__attribute__((format(printf, 1, 2))) bool report_step(const char *format, ...);
/*
 * How long something took, in microseconds: a test, "run" for all tests of a PMU, "boot" for everything since the
 * image started. The one line of a log that differs each time by its nature, and nothing but the time stands in it.
 * Left out where no clock is known, and so are measurements in microseconds.
 */
void report_took(const char *subject, u64 us);
/*
 * Which checks of the test held: of hardware, where a log is evidence for its class of CPUs (pmucheck adopt). On the
 * reference PMU each is known to hold.
 */
void report_evidence(const struct test_declaration *test, const struct folded *folded);
/* All lines of a finished test. quiet: only of errors, which are always of interest. */
void report_test_done(u32 number, const struct test_declaration *test, const struct folded *folded, bool quiet);
/* Of a test that is not finished yet only what it found, in log and on screen. */
void report_findings(const struct test_declaration *test, const struct folded *folded);
void report_add(struct totals *totals, const struct test_declaration *test, const struct folded *folded,
                enum pmu_kind kind);
/* Of a run that judged nothing: why, in log and on screen. */
void report_untested(const struct totals *totals);
/* On the screen, for who sees such a verdict for the first time: what it means, and what to do with it. */
void report_in_words(enum verdict verdict);
/* How every test of a run came out, as one line. */
void report_outcomes(const struct outcomes *outcomes);
/* What the PMU of a run is good for, in log and on screen. */
void report_purposes(const struct outcomes *outcomes);
/* The screen's totals line. */
void report_progress(const struct totals *totals);
/* What prevents a run, as its plan and only result, and on the screen; counts as an error. */
void report_error(struct totals *totals, const char *text);
/* Keeps the code of a skip, an error or a doubt for report_advice(). Those of finished tests are kept already. */
void report_reason(enum reason code);
/* The line with the code of a finished test, if it has one. */
void report_code(const char *test, const struct folded *folded);
/* What a person can do about what was seen, each once: for the end of the log. */
void report_advice(void);
