/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the harness's results, in the log and on the screen. */
#pragma once

#include "harness/report/outcomes.h"
#include "harness/report/report_text.h"

/* full: from now on logs all failures and measurements; otherwise folded and limited in number. */
void report_set_full(bool full);
/* Writes "# begin ID", the screen's line of the running test, and a heartbeat if one is due. quiet: no log line. */
void report_begin(const char *test, u32 number, u32 of, bool quiet);
/* Like report_begin(), quiet, for a test in a soak run, which has no number of tests but only seconds. */
void report_begin_soaking(const char *test, u32 second, u32 of);
/*
 * How far the running test is, after its name on the screen: ", 45 %". For the boot CPU, between measured blocks, as
 * often as wanted: it is drawn at most four times a second, and not at all in a test shorter than that. True if drawn.
 */
__attribute__((format(printf, 1, 2))) bool report_step(const char *format, ...);
/*
 * How long something took, in microseconds: a test, "run" for all tests of a PMU, "boot" for everything since the image
 * started. By its nature this is the only log line that differs each time, and it holds nothing but the time. Left out
 * if no clock is known, like measurements in microseconds.
 */
void report_took(const char *subject, u64 us);
/*
 * Which checks of the test held: only on hardware, where a log is evidence for its class of CPUs (pmucheck adopt). On
 * the reference PMU all checks are known to hold.
 */
void report_evidence(const struct test_declaration *test, const struct folded *folded);
/* All lines of a finished test. quiet: only those of errors, which always matter. */
void report_test_done(u32 number, const struct test_declaration *test, const struct folded *folded, bool quiet);
/* The result of a test in a soak, whose findings the screen has shown already. */
void report_soaked(u32 number, const struct test_declaration *test, const struct folded *folded);
/* Only the findings of a test that is not finished yet, in the log and on the screen. */
void report_findings(const struct test_declaration *test, const struct folded *folded);
void report_add(struct totals *totals, const struct test_declaration *test, const struct folded *folded,
                enum pmu_kind kind);
/* For a run that judged nothing: why, in the log and on the screen. */
void report_untested(const struct totals *totals);
/* On the screen, for a person who sees such a verdict for the first time: what it means, and what to do. */
void report_in_words(const struct totals *totals);
/* The outcomes of all tests of a run, as one line. */
void report_outcomes(const struct outcomes *outcomes);
/* What the PMU of a run is good for, in the log and on the screen. */
void report_purposes(const struct outcomes *outcomes, const struct purpose_measures *measures);
/* The screen's totals line. */
void report_progress(const struct totals *totals);
/* A reason that prevents a run: logged as its plan and only result, and shown on the screen; counts as an error. */
void report_error(struct totals *totals, const char *text);
/* Notes the code of a skip, an error or a doubt for report_advice(). Codes of finished tests are noted already. */
void report_reason(enum reason code);
/* What a person can do about the findings, each advice once: for the end of the log. */
void report_advice(void);
