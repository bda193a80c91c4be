/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter that is stopped just as it overflows can leave its status bit set for good on some CPUs (BJ58, BV85,
 * AAJ143). The overflow is moved, one instruction at a time, from after the stop to before it, and for each place it is
 * measured whether the status bit agrees with the counter's value and can be cleared. This test is the last of its
 * chapter; a bit that stays is cleared in the documented way: the counter runs from 0 and is stopped far from its end.
 *
 * For CPUs with such an erratum one document gives no way to clear the bit, and another adds that it may raise PMI
 * after PMI: later tests would be meaningless. On those the test runs only with dangerous=stuck.
 *
 * Judged is that the counter's value is right, within the cost of starting, and that the bit can be cleared at all.
 */
#include "harness/test.h"

#define K 6
#define REACH 8 /* instructions to either side */
#define SLACK 32

static u64 run_from(struct test *t, struct counter c, u64 start)
{
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, start);
    run_block(t, BIT(c.bit), K);
    settle();
    return counter_read(c);
}

/* Returns whether the status bit stays when it is cleared. */
static bool stays(struct test *t, struct counter c)
{
    pmu_status_clear(BIT(c.bit));
    return read_msr(t, MSR_PERF_GLOBAL_STATUS) >> c.bit & 1;
}

/* From the stop outwards: the places nearest to it tell most. */
static u32 events_past(u32 turn)
{
    u32 step = turn % (2 * REACH + 1);
    return step & 1 ? REACH + (step + 1) / 2 : REACH - step / 2;
}

static bool one_place(struct test *t)
{
    struct counter c = gp_counter(t->caps, 0);
    may_overflow_at_stop(t, c);
    u64 plain = run_from(t, c, 0), past = events_past(t->turn);
    u64 start = counter_preset(c, plain + REACH - past);
    u64 end = run_from(t, c, start), moved = (end - start) & counter_mask(c.width);
    bool shows = read_msr(t, MSR_PERF_GLOBAL_STATUS) >> c.bit & 1, stuck = stays(t, c);
    check_range(t, "value", moved, plain > SLACK ? plain - SLACK : 1, plain + SLACK, c.msr);
    measure(t, "disagrees", "bits", shows != (end < start));
    measure(t, "stays", "bits", stuck);
    if (stuck)
        run_from(t, c, 0);
    check_equal(t, "stays-for-good", stuck && stays(t, c) ? BIT(c.bit) : 0, 0, MSR_PERF_GLOBAL_STATUS);
    return true;
}

static void need_clearable(struct test *t)
{
    const char *number = erratum_number(&erratum_facts[FACT_STUCK], t->caps);
    if (number && !dangerous_allowed("stuck"))
        skip(t, "%s: a status bit may stay for good; dangerous=stuck is not given", number);
}

TEST("overflow.zero-distance", .title = "A counter that is stopped as it overflows",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "B-049",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .prepare = need_clearable, .repeat = one_place,
     .measures = true);
