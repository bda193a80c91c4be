/* SPDX-License-Identifier: BSD-2-Clause */
/* One test on the CPUs of its scope: guarded, bracketed by snapshots, judged and folded. */
#pragma once

#include "harness/core/registry.h"
#include "harness/core/results.h"
#include "harness/report/fold.h"
#include "kernel/cpu/cpus.h"
#include "pmu/cpu/caps.h"

/* Allocates memory for every CPU; false if there is not enough. Call once. */
bool run_init(void);
/*
 * Begins a run: reads capabilities anew, and puts the PMUs of `cpus` into the stopped state in which each test starts.
 * dumps: unexpected faults are logged with registers and stack.
 */
void run_begin(enum pmu_kind kind, const struct cpu_set *cpus, bool dumps);
/* A run on the reference PMU of which the log gets no line, except of machine checks: it judges only the tests. */
void run_begin_unseen(const struct cpu_set *cpus);
/* The same for the PMU of the previous run, which was handed over then. */
void run_go_on(enum pmu_kind kind, const struct cpu_set *cpus, bool dumps);
/* From now on published errata are provoked on hardware, too. */
void run_set_probing(bool probing);
/* The PMU was reset within a run: renews capabilities, hand-off and stopped state. */
void run_renew(void);
/* Ends a run: logs what came unasked after its last test, and how many foreign NMIs came. */
void run_end(void);
/*
 * How many CPUs of the current run were left out, or did not complete its beginning, and how often something came
 * unasked between tests; each has its `# error` line.
 */
u32 run_errors(void);
/* Receives the judged results of each CPU. */
struct observer {
    void (*note)(void *book, const struct test_declaration *test, u32 cpu, const struct results *results);
    void *book;
    /* And the outcome of each test as a whole; NULL: not wanted. */
    void (*done)(void *book, const struct test_declaration *test, enum outcome outcome);
};
/* Runs a test and folds the results of its CPUs. The observer may be NULL. */
void run_test(const struct test_declaration *test, const struct observer *observer, struct folded *folded);
/* From now on the run uses only these of its CPUs; `round` is a soak's, for tests that count on from round to round. */
void run_restrict(const struct cpu_set *cpus, u32 round);
/* The CPUs of the current run that still answer. */
struct cpu_set run_cpus(void);

/* ---- The state of the calling CPU's PMU at the start of every test. */
/*
 * Nothing counts, nothing is programmed, no PMI is pending: every test starts from this. Tests report registers that do
 * not answer, so nothing here may fault.
 */
void pmu_quiet(const struct pmu_caps *caps);
/*
 * Before the first test: turns off what an earlier kernel may have set, the freezing of counters and branch records on
 * PMIs, and of counters in SMM, after which RSM sets every enable of IA32_PERF_GLOBAL_CTRL. Tests turn these on
 * themselves. Restored at the end like everything else. SDM 3B, "Freezing Performance Counters on PMI" and
 * "IA32_DEBUGCTL MSR".
 */
void pmu_end_freezing(const struct pmu_caps *caps);

/*
 * ---- Nothing that comes unasked is lost: unexpected PMIs and machine checks count to the test in or after which they
 * came; NMIs from elsewhere and device interrupts are reported at the end of a run, the latter with a line that says
 * where the first one came. Boot CPU only, with the others idle.
 */
/*
 * Reports errors that a machine check left in the banks before this program began, and interrupts that came before the
 * first test or were pending: they belong to no test.
 */
void unasked_at_start(void);
/*
 * Once, after the last test: errors in the banks that no line has reported yet. They raised no machine check, so the
 * hardware has corrected them, or nobody has consumed the damaged data: they are reported, and no verdict changes.
 */
void unasked_at_end(void);
/* A run begins. PMIs that came while it was armed are not reported. quiet: reports only machine checks. */
void unasked_begin(bool quiet);
/* What came on `cpu` in a test that is over: changes its outcome, logs it, and measures legal second PMIs. */
void unasked_in_test(u32 cpu, const char *test, struct results *results);
/* For cpus_run(): takes a PMI that is still requested. */
void unasked_take(void *argument);
/* What came on any CPU since the last call, after `test`. Returns on how many CPUs something was wrong. */
u32 unasked_after(const char *test);
/* Reports how many foreign NMIs came on each CPU since the last report. */
void unasked_sum(void);

/* ---- Which tests, in which order: the options run, skip, shuffle and the K/N of prove. Pure. */
struct selection {
    const struct test_declaration *test[TESTS_MAX];
    unsigned count;
};

#define SELECT_ERROR_SIZE 160
/*
 * The tests that match `run` (comma-separated globs, "" for all) and not `skip`, ordered by id. False with one line in
 * error if a glob matches no test, or no test is left.
 */
bool select_tests(const struct registry *registry, const char *run, const char *skip, struct selection *selection,
                  char *error);
/* Shuffles by a seed: equal seeds give equal orders. */
void select_shuffle(struct selection *selection, u64 seed);
#define PARTS_MOST 1000
/* Parses "K/N", 1 <= K <= N <= PARTS_MOST; "" is 1/1. False with one line in error. */
bool select_part(const char *text, u32 *part, u32 *parts, char *error);
