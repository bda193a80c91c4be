/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters that run without a block around them, for tests of freezing. All act on the calling CPU. */
#pragma once

#include "harness/provoke.h"
#include "pmu/count/counter.h"

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
/*
 * The same for promises that hold for whatever is counted: GP counters take instructions, branches and core cycles in
 * turn, some of them by cycles (CMASK), and each counter the rings of OS, of USR or of both; the one that overflows
 * counts in the ring of the test's cell in any case. `mix` chooses where the turns begin.
 */
u64 setup_mixed(const struct test *t, const struct counter *overflows, u32 mix);
/* A mix for a test with cells: the same in each repeat in the same cell. */
u32 cell_mix(const struct test *t, struct counter counter);
/* The counters, by their bits in IA32_PERF_GLOBAL_CTRL, whose controls let them count in the ring of the test's cell.
 */
u64 counters_of_ring(struct test *t);
/* Programs all counters that count exactly to overflow together, and each to raise a PMI. Returns their bits. */
u64 setup_together(const struct test *t);
/* Starts them; if the ring is 3, runs its code until a PMI has come, at most 20 ms. */
void start_in_ring(struct test *t, u64 mask);

/*
 * Does each counter move while code runs in the ring of the test's cell, if its control lets it count there? One of a
 * slow clock may take some time to, and one that need not count (fixed counters 4 and 5) is not asked.
 */
void check_moving(struct test *t, const char *label);
/* Does every counter keep its value although code runs? */
void check_stopped(struct test *t, const char *label);
