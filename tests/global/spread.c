/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One write of IA32_PERF_GLOBAL_CTRL starts all counters of instructions, one stops them, and all count the same block:
 * how far their counts differ, and how much one counter varies from repeat to repeat, is measured. On some CPUs one
 * write does not start all counters in the same clock (Ivy Bridge: one apart; HSD143: 32), so only a difference of more
 * than 64 is a failure.
 */
#include "harness/test.h"

#define K 10
#define SPREAD_MOST 64

static bool run_together(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = counters_for(t, ARCH_EVENT_INSTRUCTIONS, list);
    u64 mask = 0, least = ~0ull, most = 0, count = 0;
    setup_counters(list, n, ARCH_EVENT_INSTRUCTIONS, COUNT_OS);
    for (unsigned i = 0; i < n; i++)
        mask |= BIT(list[i].bit);
    run_block(t, mask, K);
    for (unsigned i = n; i--;) {
        count = counter_read(list[i]);
        least = count < least ? count : least;
        most = count > most ? count : most;
    }
    measure(t, "spread", "instructions", most - least);
    measure(t, "block", "instructions", count);
    check_range(t, "too-far-apart", most - least, 0, SPREAD_MOST, 0);
    return true;
}

TEST("global.spread", .title = "Counters that are started together count the same",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "B-060,B-067,A-084,A-085",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .repeat = run_together, .measures = true);
