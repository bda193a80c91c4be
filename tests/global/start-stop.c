/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What starting and stopping the counters itself adds to counts, and what it costs: a block of 0 iterations between the
 * two writes of IA32_PERF_GLOBAL_CTRL is measured in instructions and branches of a general-purpose counter, in
 * instructions of fixed counter 0, and in TSC ticks; the few instructions of the block are included. No manual says
 * which of the two writes is counted, so these numbers are a fingerprint and nothing is judged by them; exact counts
 * are judged as differences, in which they cancel.
 *
 * Judged is that the instructions in between were counted, and not many more.
 */
#include "harness/test.h"

#define IMPLAUSIBLE 128

static bool empty_block(struct test *t)
{
    bool branches = t->caps->gp_count > 1 && caps_event_available(t->caps, 5);
    struct counter second = gp_counter(t->caps, caps_gp_index(t->caps, 1));
    struct counter gp = gp_counter(t->caps, 0), fixed = fixed_counter(t->caps, FIXED_INSTRUCTIONS);
    u64 mask = BIT(gp.bit) | (branches ? BIT(second.bit) : 0) | (t->caps->fixed_bitmap & 1 ? BIT(fixed.bit) : 0);
    counter_setup(gp, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, 0);
    if (branches)
        counter_setup(second, ARCH_EVENT_BRANCHES, COUNT_OS, 0);
    if (t->caps->fixed_bitmap & 1)
        counter_setup(fixed, 0, COUNT_OS, 0);
    u64 start = time_now();
    run_block(t, mask, 0);
    measure(t, "ticks", "ticks", time_now() - start);
    measure(t, "gp-instructions", "instructions", counter_read(gp));
    check_range(t, "implausible", counter_read(gp), 1, IMPLAUSIBLE, gp.msr);
    if (branches)
        measure(t, "gp-branches", "branches", counter_read(second));
    if (t->caps->fixed_bitmap & 1)
        measure(t, "fixed-instructions", "instructions", counter_read(fixed));
    return more_samples(t);
}

TEST("global.start-stop", .title = "What starting and stopping the counters counts and costs",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "B-065",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .repeat = empty_block, .measures = true);
