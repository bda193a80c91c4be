/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts that are read at CPL 3 itself, long after the change of ring. */
#include "harness/test.h"
#include "kernel/interrupt/interrupt.h"
#include "pmu/gate/write.h"

#define SETTLE_K 100 /* 500 instructions of the shortest work: longer than a brief period may last */
#define READS 3

/* Shared with the code at CPL 3: settled_user.asm, which has the same layout. */
struct settled {
    void (*work)(void);
    u64 n;
    u64 k[READS];
    u64 value[READS][COUNTERS_MAX]; /* values after each part */
    u32 index[COUNTERS_MAX];        /* RDPMC indices */
};
_Static_assert(sizeof(struct settled) <= RING3_ROOM, "the struct is too large for the memory that the rings share");

/* The result of settled_user.asm: DONE, or the fault of an RDPMC. */
#define DONE BIT(63)
void settled_user_code(u64 shared);

/* Nothing in here ends the test early, so CR4.PCE cannot stay set. */
static u64 run(const struct test *t, struct settled *shared, u64 mask)
{
    struct switch_write start_stop = counters_switch(t->caps, mask);
    bool allowed = set_pce(true);
    wrmsr(start_stop.msr, start_stop.on);
    u64 result = ring3_run(settled_user_code, (u64)shared);
    wrmsr(start_stop.msr, start_stop.off);
    set_pce(allowed);
    return result;
}

void count_settled(struct test *t, void (*work)(void), const struct counter *list, unsigned n, u64 k1, u64 k2,
                   u64 *difference)
{
    struct settled *shared = ring3_room();
    char text[FAULT_TEXT_SIZE];
    u64 mask = 0;
    *shared = (struct settled){.work = work, .n = n, .k = {SETTLE_K, k1, k2}};
    for (unsigned i = 0; i < n; i++) {
        shared->index[i] = list[i].rdpmc;
        mask |= BIT(list[i].bit);
    }
    u64 result = run(t, shared, mask);
    if (result != DONE)
        error(t, "unexpected %s at RDPMC at CPL 3, with CR4.PCE set", fault_text((fault_t)result, text));
    for (unsigned i = 0; i < n; i++)
        difference[i] =
            (shared->value[2][i] - 2 * shared->value[1][i] + shared->value[0][i]) & counter_mask(list[i].width);
}
