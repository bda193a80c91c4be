/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter continues to count after it wraps: preset to -n, it ends with the count less n. The same block is run from
 * 0 and from -n, and the final values are compared, so the cost of starting and stopping cancels out. Cores retire
 * several instructions per clock: those after the one that takes the counter to 0 have to be counted as well. Only
 * counters of instructions are exact enough for that.
 */
#include "harness/test.h"

#define K 10
#define N 16

/* Runs the block with all exact counters starting at `start`, or that far below the end. */
static void count_from(struct test *t, u64 below_end, u64 *end)
{
    u64 mask = 0;
    for_each_counter (t, c)
        if (counts_exactly(*c)) {
            counter_setup(*c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, counter_preset(*c, below_end));
            mask |= BIT(c->bit);
        }
    run_block_exactly(t, mask, K);
    for_each_counter (t, c)
        end[c->bit] = counter_read(*c);
}

static bool wrap(struct test *t)
{
    u64 plain[64], wrapped[64];
    count_from(t, 0, plain);
    count_from(t, N, wrapped);
    pmu_status_clear(caps_counter_bits(t->caps));
    for_each_counter (t, c)
        if (counts_exactly(*c))
            check_count(t, "value", wrapped[c->bit], plain[c->bit] - N, c->msr);
    return true;
}

TEST("overflow.value", .title = "A counter continues after its wrap and loses no count",
     .spec = "SDM 3B, Architectural Performance Monitoring", .covers = "B-054,A-100",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .repeat = wrap);
