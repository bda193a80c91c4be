/* What general-purpose and fixed counters promise alike of what they count. All act on the calling CPU. */
#pragma once

#include "harness/provoke.h"

/*
 * Runs the block in two lengths and checks that each counter, set up already, counts `each` for one iteration more. The
 * difference is judged, so that what starting and stopping costs, which no manual says, is not part of it.
 */
void check_counted(struct test *t, const char *label, const struct workload *w, const struct counter *list, unsigned n,
                   u64 each);
/* Has each count what `select` says of an event select, whole but for EN, which it sets; from 0. */
void select_event(struct test *t, const struct counter *list, unsigned n, u64 select);
/* Conditional branches of an iteration: the loop's own and, in the block of branches, one taken and one not. */
struct conditional_block {
    const char *block;
    u64 each;
};
extern const struct conditional_block conditional_blocks[2];
/*
 * As check_counted(), of retired instructions or branches at CPL 0, and where the test has cells in their rings, which
 * it sets up; the block's name is the label.
 */
void check_exact(struct test *t, const char *block, const struct counter *list, unsigned n, u16 event);

/* What the enable bits for CPL 0 and above it let through, with the block at CPL 0 or (user) at CPL 3. */
struct filter {
    const char *label;
    unsigned flags;
    bool user, counts;
    u32 aspects; /* 0: the exact count of what is to be counted; at CPL 3 the way there and back may count as well */
};
/*
 * Counters of instructions are judged exactly; another one only where it has no reason to move: it is off at CPL 0.
 */
void check_filter(struct test *t, const struct filter *filter, const struct counter *list, unsigned n);
/* Each filter at CPL 3, and at CPL 0 the one that must not count there. Labels: "usr-at-cpl-0" and so on. */
void check_filters(struct test *t, const struct counter *list, unsigned n);

/*
 * Cycles that a counter counts for the default block: noise only ever adds to them, so the quickest of many runs of
 * either length is what the CPU needs, and their difference what the longer one's additional work costs.
 */
#define CYCLES_SHORT_K 2
#define CYCLES_LONG_K 20
struct fastest {
    u64 shorter, longer; /* 0: none yet */
};
/* Adds a run of k iterations, one of the two above. */
void fastest_add(struct fastest *fastest, u64 k, u64 cycles);
/*
 * No core retires more than 16 instructions in a cycle, and warm arithmetic takes none of them 64. Label "implausible";
 * the test is skipped if the thermal monitor slowed the clock.
 */
void check_cycles(struct test *t, const struct fastest *fastest, u32 msr);
