/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How to write a test. One file is one test; its opening comment says what the hardware promises. See README, "Adding a
 * test". The harness selects, brackets, judges, restores and reports; a test only uses the hardware and checks.
 */
#pragma once

#include "harness/core/aspect.h"
#include "harness/core/form.h"
#include "harness/core/reason.h"
#include "pmu/count/counter.h"
#include "pmu/gate/write.h"
#include "pmu/registers.h"
#include "pmu/run/pmi.h"
#include "pmu/workload/workload.h"

/*
 * ---- Ending early, never from a PMI hook. The reason contains the value read. The second form adds a code for what
 * happened, if a person can do something about it.
 */
__attribute__((format(printf, 2, 3))) _Noreturn void skip(struct test *t, const char *reason, ...);
__attribute__((format(printf, 3, 4))) _Noreturn void skip_for(struct test *t, enum reason code, const char *reason,
                                                              ...);
/* Skips the test unless this need of the CPU is met: for needs that only a part of a test has, or that depend on what
 * it reads. All others stand in its declaration. */
void need(struct test *t, const struct needs *needs);
/* The write gate has refused the last write: skips the test, with the rule that refused it. */
_Noreturn void skip_refused(struct test *t);
__attribute__((format(printf, 2, 3))) _Noreturn void error(struct test *t, const char *reason, ...);
__attribute__((format(printf, 3, 4))) _Noreturn void error_for(struct test *t, enum reason code, const char *reason,
                                                               ...);

/*
 * ---- Checks. Each has a permanent label. They return whether the check held; the test may continue either way. Label,
 * register and bit identify a check: inside repeat_clean() a check that fails less often than it holds is only
 * `review`, so checks with different expectations need different labels there.
 */
bool check_equal(struct test *t, const char *label, u64 got, u64 want, u32 msr); /* msr 0: no register */
/*
 * Both read the register, and if the manual says what all of it shows (harness/whole.h), its other bits are compared
 * under the same label. `bit` is one of its bits: STATUS_CTR_FRZ, BIT(c.bit).
 */
bool check_bit(struct test *t, const char *label, u32 msr, u64 bit, bool want);
bool check_bits(struct test *t, const char *label, u32 msr, u64 mask, u64 want); /* (value & mask) == want */
/* For facts without a number: `want` is a constant text, "a count"; got is the value seen instead. */
__attribute__((nonnull)) bool check_true(struct test *t, const char *label, bool held, u64 got, const char *want,
                                         u32 msr);
bool check_range(struct test *t, const char *label, u64 got, u64 low, u64 high, u32 msr);
/* A refused write (FAULT_REFUSED) says nothing about the hardware: the test is then skipped as by skip_refused(). */
bool check_fault(struct test *t, const char *label, fault_t got, fault_t want, u32 msr);
/* For an exact count of instructions, if no slope is possible: compares values with the same start and stop. */
bool check_count(struct test *t, const char *label, u64 got, u64 want, u32 msr);
/* Names the aspect of a check if its helper cannot know it: check_equal(about(t, ASPECT_...), ...) */
struct test *about(struct test *t, u64 aspects);

/*
 * This counter may overflow as it is stopped, or as its core goes to sleep: on some CPUs its STATUS bit then stays set,
 * which is no failure in later tests either. Call it before that is provoked.
 */
void may_overflow_at_stop(struct test *t, struct counter counter);

/* ---- Registers. After a fault or a refused write the test ends as an error that names the register. */
u64 read_msr(struct test *t, u32 msr);
void write_msr(struct test *t, u32 msr, u64 value);

/* ---- The judging protocol (silicon brackets, discarded and repeated blocks, statistics). */
/*
 * Counts `w` with the counters already set up (counter_setup) and returns for each of `n` counters the most frequent
 * value of count(k2) - count(k1) over clean repeats. Without a clean repeat the test ends as an error. At CPL 3 (user)
 * both runs are read there, long after the change of ring: settled.h. At CPL 0 fixed counters that are on alone are
 * started in the order that makes their count exact, fixed_switch(); together with others they are not.
 */
struct slope {
    u64 mode; /* the most frequent difference */
    u32 clean, outliers;
    const struct tally *all; /* all differences; valid until the next count_slope() */
};
void count_slope(struct test *t, const struct workload *w, const struct counter *list, unsigned n, u64 k1, u64 k2,
                 bool user, struct slope *slope);
/*
 * Checks in each clean repeat that the slope is k2 - k1 times what the block retires. Returns whether the mode was
 * right. Counts instructions, unless the test says otherwise; if nothing is to be counted, no count can be inexact.
 */
bool check_slope(struct test *t, const char *label, const struct counter *counter, const struct slope *slope, u64 want);
/*
 * Repeats body(t, argument) within the budget (at least 100 times in normal mode) until it returns false; each repeat
 * is bracketed, and discarded if it is not clean. Returns the number of clean repeats.
 */
u32 repeat_clean(struct test *t, bool (*body)(struct test *t, void *argument), void *argument);
/* Has the thermal monitor slowed the clock in a repeat so far? Then cycles and times are measured, not judged. */
bool throttled(const struct test *t);
/* Settle time after stopping counters: at least 10 us and 5,000 TSC ticks. */
void settle(void);

/* ---- Measurements. Each CPU collects its samples; the boot CPU prints them as one `# measure` line. */
void measure(struct test *t, const char *name, const char *unit, u64 sample);

/*
 * ---- Lines of the log without a verdict, one for all CPUs with the same text: "# kind subject cpus=0-3 text rest".
 * `kind` and `rest` must be constant texts; not inside repeat_clean().
 */
__attribute__((format(printf, 5, 6))) void note(struct test *t, const char *kind, const char *subject, const char *rest,
                                                const char *format, ...);
/* Like note(), without cpus=: about the whole machine. */
__attribute__((format(printf, 5, 6))) void note_machine(struct test *t, const char *kind, const char *subject,
                                                        const char *rest, const char *format, ...);

/* ---- ALL_TOGETHER: all CPUs of the test meet. Bounded; false if one does not come, and then the test is an error. */
bool barrier(struct test *t);

/* ---- Loops over counters. */
#define for_each_counter(t, c)                                                                               \
    for (struct counter list_##c[COUNTERS_MAX], *c = list_##c, *end_##c = c + counters((t)->caps, list_##c); \
         c < end_##c; c++)
#define for_each_gp_counter(t, n) for_each_gp ((t)->caps, n)
#define for_each_fixed_counter(t, i) for_each_fixed ((t)->caps, i)
