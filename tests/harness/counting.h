/* SPDX-License-Identifier: BSD-2-Clause */
/* The promises that general-purpose and fixed counters share about what they count. All act on the calling CPU. */
#pragma once

#include "harness/provoke.h"

/*
 * Runs the block in two lengths and checks that each counter, already set up, counts `each` per additional iteration.
 * Only the difference is judged, so it does not include the cost of starting and stopping, which no manual states.
 */
void check_counted(struct test *t, const char *label, const struct workload *w, const struct counter *list, unsigned n,
                   u64 each);
/* Programs each counter with `select`, a whole event select except EN, which it adds; the counters start from 0. */
void select_event(struct test *t, const struct counter *list, unsigned n, u64 select);
/* Conditional branches per iteration: the loop's own and, in the block "branches", one taken and one not taken. */
struct conditional_block {
    const char *block;
    u64 each;
};
extern const struct conditional_block conditional_blocks[2];
/*
 * Like check_counted(), for retired instructions or branches at CPL 0, or in the rings of the test's cells, which it
 * sets up; the label is the block's name.
 */
void check_exact(struct test *t, const char *block, const struct counter *list, unsigned n, u16 event);

/* What the enable bits for CPL 0 and for CPL 1 to 3 let through, with the block at CPL 0 or (user) at CPL 3. */
struct filter {
    const char *label;
    unsigned flags;
    bool user, counts;
    u64 aspects; /* 0: the exact count of what must be counted; at CPL 3 the transitions may be counted too */
};
/* Counters of instructions are judged exactly; others only if they have no reason to move: off at CPL 0. */
void check_filter(struct test *t, const struct filter *filter, const struct counter *list, unsigned n);
/* Checks each filter at CPL 3, and at CPL 0 the one that must not count there. Labels: "usr-at-cpl-0" and so on. */
void check_filters(struct test *t, const struct counter *list, unsigned n);

/*
 * Cycles for the default block: noise can only add cycles, so the fastest of many runs of each length is what the CPU
 * needs, and the difference is the cost of the longer one's additional work.
 */
#define CYCLES_SHORT_K 2
#define CYCLES_LONG_K 20
struct fastest {
    u64 shorter, longer; /* 0: none yet */
};
/* Adds a run of k iterations, one of the two above. */
void fastest_add(struct fastest *fastest, u64 k, u64 cycles);
/*
 * No core retires more than 16 instructions per cycle, and warm arithmetic never takes 64 cycles per instruction. Label
 * "implausible"; the test is skipped if the thermal monitor slowed the clock.
 */
void check_cycles(struct test *t, const struct fastest *fastest, u32 msr);
