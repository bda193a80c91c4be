/* One test on the CPUs of its scope: guarded, bracketed by snapshots, judged and folded. */
#pragma once

#include "harness/report/fold.h"
#include "kernel/cpu/cpus.h"

/* Memory for every CPU; false if there is not enough. Call once. */
bool run_init(void);
/*
 * Begins a run: reads capabilities anew, and puts the PMUs of `cpus` into the stopped state that each test finds.
 * dumps: unexpected faults are logged with registers and stack.
 */
void run_begin(enum pmu_kind kind, const struct cpu_set *cpus, bool dumps);
/* The same of the PMU of the run before, which was handed over then. */
void run_go_on(enum pmu_kind kind, const struct cpu_set *cpus, bool dumps);
/* The PMU was reset within a run: capabilities, hand-off and the stopped state are had anew. */
void run_renew(void);
/* Ends a run: tells what came unasked after its last test, and how many NMIs from elsewhere came. */
void run_end(void);
/*
 * How many CPUs of the current run were left out, or did not get through its beginning, and how often something came
 * unasked between tests; each has its `# error` line.
 */
u32 run_errors(void);
/* Who is told of the judged results of each CPU. */
struct observer {
    void (*note)(void *book, const struct test_declaration *test, u32 cpu, const struct results *results);
    void *book;
    /* And of how a test came out as a whole; NULL: nobody. */
    void (*done)(void *book, const struct test_declaration *test, enum outcome outcome);
};
/* Runs a test and folds what its CPUs found. The observer may be NULL. */
void run_test(const struct test_declaration *test, const struct observer *observer, struct folded *folded);
/* From now on only these CPUs of the run. */
void run_restrict(const struct cpu_set *cpus);
/* The CPUs of the current run that still answer. */
struct cpu_set run_cpus(void);
