/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters that run without a block around them, for tests of freezing. All act on the calling CPU. */
#pragma once

#include "harness/provoke.h"
#include "pmu/count/freeze.h"

/* Skips the test unless IA32_DEBUGCTL[12], freeze counters on PMI, may be set on this CPU. */
void need_freeze(struct test *t);

/* Retires at least 3 * turns instructions at CPL 0. */
void spin(unsigned turns);
/* The same in the ring of the test's cell; restores the interrupt flag. */
void spin_in_ring(const struct test *t, unsigned turns);
#define SPIN_A_LITTLE 20 /* turns: any counter of instructions moves */

/* Values of all counters, by their bit in IA32_PERF_GLOBAL_CTRL. */
struct counter_values {
    u64 value[64];
};
void read_counters(const struct test *t, struct counter_values *values);

/*
 * Programs all counters for instructions in the ring of the test's cell (fixed ones for their own event), value 0; only
 * the cell's counter if the cell is alone. If `overflows` is not NULL, that counter raises a PMI after some events.
 * Returns the GLOBAL_CTRL bits that start them.
 */
u64 setup_all(const struct test *t, const struct counter *overflows);
/* Programs all counters that count exactly to overflow together, and each to raise a PMI. Returns their bits. */
u64 setup_together(const struct test *t);
/* Starts them; if the ring is 3, runs its code until a PMI has come, at most 20 ms. */
void start_in_ring(struct test *t, u64 mask);

/* Does each counter that counts exactly move while code runs, and does no other counter run backwards? */
void check_moving(struct test *t, const char *label);
/* Does every counter keep its value although code runs? */
void check_stopped(struct test *t, const char *label);
