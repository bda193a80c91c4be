/* Counters that run on without a block around them, as freezing needs it. All act on the calling CPU. */
#pragma once

#include "harness/provoke.h"
#include "pmu/count/freeze.h"

/* Skips the test unless IA32_DEBUGCTL[12], freeze counters on PMI, may be set on this CPU. */
void need_freeze(struct test *t);

/* Retires at least 3 * turns instructions at CPL 0. */
void spin(unsigned turns);
/* The same in the ring of the test's cell; interrupts are afterwards as they were. */
void spin_in_ring(const struct test *t, unsigned turns);
#define SPIN_A_LITTLE 20 /* turns: whatever counts instructions moves */

/* Values of all counters, by their bit in IA32_PERF_GLOBAL_CTRL. */
struct counter_values {
    u64 value[64];
};
void read_counters(const struct test *t, struct counter_values *values);

/*
 * Programs all counters for instructions in the ring of the test's cell (fixed ones for their own event), value 0;
 * where the cell is alone, its counter only. If `overflows` is not NULL that one raises a PMI after some events.
 * Returns the GLOBAL_CTRL bits that start them.
 */
u64 setup_all(const struct test *t, const struct counter *overflows);
/* Starts them; where that ring is 3, its code runs until a PMI has come, at most 20 ms. */
void start_in_ring(struct test *t, u64 mask);

/* Does each exactly counting counter move while the code goes on, and each other one at least not run backwards? */
void check_moving(struct test *t, const char *label);
/* Does every counter keep its value, although the code goes on? */
void check_still(struct test *t, const char *label);
