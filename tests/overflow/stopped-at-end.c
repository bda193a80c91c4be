/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter that is stopped at its highest value has not overflowed: it reads back that value, its bit of
 * IA32_PERF_GLOBAL_STATUS is clear, and started again it overflows with the next event. One that is stopped an event
 * later reads 0; started again it continues from there and does not overflow a second time.
 *
 * A run from 0 shows how much the run counts: a counter started that far below its end stops there. The counters that
 * count exactly take turns. Whether an overflow right at the stop has set its bit is measured: nothing promises it
 * before the next event, and NetBurst sets it only then. So only if the bit was set and then cleared is it judged that
 * it is not set again. CPUs on which such a bit may never clear (BJ58, BV85, AAJ143) are left alone.
 *
 * Debuggers that run a program up to an event leave its counters in this state.
 */
#include "harness/test.h"

#define K 10 /* 126 instructions: more than 64 after an overflow at the start */

static u64 run_on(struct test *t, struct counter c)
{
    run_block_exactly(t, BIT(c.bit), K);
    settle();
    return counter_read(c);
}

static u64 run_from(struct test *t, struct counter c, u64 start)
{
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, start);
    return run_on(t, c);
}

static void stop_at_highest(struct test *t, struct counter c, u64 plain)
{
    u64 highest = counter_mask(c.width), end = run_from(t, c, highest - plain);
    if (!check_count(t, "not-highest", end, highest, c.msr))
        return;
    check_bit(t, "set-too-early", MSR_PERF_GLOBAL_STATUS, BIT(c.bit), false);
    check_count(t, "after-highest", run_on(t, c), plain - 1, c.msr);
    check_bit(t, "overflow-lost", MSR_PERF_GLOBAL_STATUS, BIT(c.bit), true);
    pmu_status_clear(BIT(c.bit));
}

static void stop_at_zero(struct test *t, struct counter c, u64 plain)
{
    u64 end = run_from(t, c, counter_preset(c, plain));
    if (!check_count(t, "not-zero", end, 0, c.msr))
        return;
    bool told = pmu_status() >> c.bit & 1;
    measure(t, "told-at-zero", "0-or-1", told);
    pmu_status_clear(BIT(c.bit));
    check_count(t, "after-zero", run_on(t, c), plain, c.msr);
    if (told)
        check_bit(t, "set-once-more", MSR_PERF_GLOBAL_STATUS, BIT(c.bit), false);
}

static bool one_counter(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = counters_for(t, ARCH_EVENT_INSTRUCTIONS, list);
    struct counter c = list[t->turn % n];
    pmu_status_clear(BIT(c.bit));
    u64 plain = run_from(t, c, 0);
    stop_at_highest(t, c, plain);
    stop_at_zero(t, c, plain);
    counter_clear(c);
    return more_samples_of(t, n);
}

TEST("overflow.stopped-at-end", .title = "A counter stopped at its highest value or at 0 continues correctly",
     .spec = "SDM 3B, Architectural Performance Monitoring", .covers = "B-049,B-054",
     .needs = {.version = 2, .event = 2, .bits_clear = true}, .scope = EACH_CPU, .repeat = one_counter,
     .measures = true);
