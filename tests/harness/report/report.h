/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the harness's results, in the log and on the screen. */
#pragma once

#include "boot/bits.h"
#include "harness/core/registry.h"
#include "harness/report/outcomes.h"
#include "harness/report/report_text.h"
#include "kernel/cpu/cpus.h"
#include "kernel/qr/qr.h"

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

/* ---- Names that CPUID of the calling CPU gives: who made it, which it is, and under which hypervisor it runs. */
#define VENDOR_SIZE 13
#define BRAND_SIZE 49

void identity_vendor(char text[VENDOR_SIZE]);
void identity_brand(char text[BRAND_SIZE]);
/* "none" without a hypervisor (CPUID.1:ECX[31] clear), "unnamed" if it gives no name. */
void identity_hypervisor(char text[VENDOR_SIZE]);

/*
 * ---- The `# options`, `# date`, `# machine`, `# cpu`, `# tsc`, `# topology`, `# place` and `# cpuid` lines, what this
 * machine is, and what a run adds to them: numbers that settle later arguments.
 */
/* `name`: what the user calls it, "" for nothing. */
void machine_print(const char *name);
/*
 * What a run's PMU is and how it was found: `# platform` and `# found`. On the reference PMU also `# cpu`, and those
 * leaves of CPUID that are not the machine's; what lies above its highest leaf is not there.
 */
void machine_print_run(const struct cpu_set *cpus, bool reference);

/* The machine's name and the date, as every page of the screen has them; after machine_print(). It stays. */
const char *machine_who(void);

/* Parts of them: `# cpu`; all leaves of each kind of core; those of one CPU that differ from the machine's. */
void machine_print_cpus(void);
void machine_print_leaves(void);
/* `# tsc`: how far the CPUs' TSCs are from the boot CPU's, with what firmware has made of them. */
void machine_print_clocks(void);
void machine_print_other_leaves(u32 cpu);

/*
 * ---- With one CPU none is left to end an access that never comes back, so each register is named in the log before
 * the run reads or writes it for the first time: the log's last line then tells which one it was.
 */
/* From here on each first read and write is named again; off: none is. */
void announce_accesses(bool on);

/* ---- Stores the results on a machine without a serial line. */
/* Writes the results to a variable of the firmware, if the option save asks for it: after the line "# result". */
void save_results(void);
