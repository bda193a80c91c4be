/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter that goes from its highest value to 0 sets its bit of IA32_PERF_GLOBAL_STATUS, whether or not its interrupt
 * bit is set; a counter that does not get there does not set its bit, and no other counter's bit changes. LVTPC stays
 * masked, so nothing is delivered.
 *
 * The overflow comes long before the stop: a counter that is stopped as it overflows can leave a bit that never clears.
 */
#include "harness/test.h"

#define FAR_EVENTS 1000000
#define K 2
#define NEAR_EVENTS 100
#define NEAR_K 100 /* 1,200 instructions */

static void overflow(struct test *t, struct counter c, const char *label, unsigned flags)
{
    u64 all = caps_counter_bits(t->caps);
    pmu_status_clear(all);
    provoke_overflow(t, c, ring_flags(t) | flags);
    settle();
    check_bit(t, label, MSR_PERF_GLOBAL_STATUS, BIT(c.bit), true);
    check_bits(t, "other-bits", MSR_PERF_GLOBAL_STATUS, all & ~BIT(c.bit), 0);
    counter_clear(c);
}

/* The others are enabled in IA32_PERF_GLOBAL_CTRL, and nowhere else: they stand still. */
static void overflow_among_enabled(struct test *t, struct counter c)
{
    u64 all = caps_counter_bits(t->caps);
    pmu_status_clear(all);
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, ring_flags(t), counter_preset(c, NEAR_EVENTS));
    run_block(t, all, NEAR_K);
    settle();
    check_bits(t, "other-bits-of-enabled", MSR_PERF_GLOBAL_STATUS, all & ~BIT(c.bit), 0);
    counter_clear(c);
}

static void no_overflow(struct test *t, struct counter c)
{
    pmu_status_clear(caps_counter_bits(t->caps));
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, ring_flags(t), counter_preset(c, FAR_EVENTS));
    run_block(t, BIT(c.bit), K);
    settle();
    if (overflows_again(c))
        measure(t, "set-once-more", "0-or-1", pmu_status() >> c.bit & 1);
    else
        check_bit(t, "too-early", MSR_PERF_GLOBAL_STATUS, BIT(c.bit), false);
    counter_clear(c);
}

static bool each_counter(struct test *t)
{
    struct counter c = next_counter(t);
    under_test(t, BIT(c.bit), BIT(c.bit));
    overflow(t, c, "without-int", 0);
    overflow(t, c, "with-int", COUNT_INT);
    overflow_among_enabled(t, c);
    no_overflow(t, c);
    return true;
}

TEST("overflow.status", .title = "A counter's wrap sets its overflow bit, and only that",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "B-049",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .repeat = each_counter,
     .cells = CELL_RINGS | CELL_COUNTERS | CELL_NEIGHBOURS, .measures = true, .aside = ASIDE_COUNTERS);
