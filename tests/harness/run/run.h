/* SPDX-License-Identifier: BSD-2-Clause */
/* One test on the CPUs of its scope: guarded, bracketed by snapshots, judged and folded. */
#pragma once

#include "harness/report/fold.h"
#include "kernel/cpu/cpus.h"

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
