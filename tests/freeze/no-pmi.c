/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * While IA32_PERF_GLOBAL_STATUS.CTR_FRZ is set nothing counts, so nothing overflows and no PMI comes: although every
 * counter is a hundred events before its end, its interrupt bit and its bit of IA32_PERF_GLOBAL_CTRL are set, LVTPC is
 * open and interrupts are enabled. Once CTR_FRZ is cleared the same counters overflow, and a PMI comes. Reference
 * cycles are left out: their counter may signal an overflow again that was acknowledged before.
 *
 * Otherwise a handler that sets up its counters anew while they are frozen would be interrupted by them.
 */
#include "harness/test.h"

#define EVENTS 100 /* more than 64: with fewer, BJ77 and BV35 raise a PMI without an overflow */

static u64 setup_short(struct test *t)
{
    u64 mask = 0, events = EVENTS + (t->cell.user ? ON_THE_WAY : 0);
    for_each_counter (t, c) {
        if (overflows_again(*c))
            continue;
        counter_setup(*c, ARCH_EVENT_INSTRUCTIONS, ring_flags(t) | COUNT_INT, counter_preset(*c, events));
        mask |= BIT(c->bit);
    }
    return mask;
}

/* The counter whose overflow the first PMI shows; 0 if it shows none. */
static u32 cause(const struct test *t)
{
    for_each_counter (t, c)
        if (pmi_log()->record[0].status >> c->bit & 1)
            return c->msr;
    return 0;
}

/* Returns whether nothing came. */
static bool check_silent(struct test *t)
{
    u32 pmis = pmi_settled();
    u64 status = pmu_status();
    check_equal(about(t, ASPECT_STAYS_FROZEN), "pmi-while-frozen", pmis, 0, pmis ? cause(t) : 0);
    for_each_counter (t, c)
        if (!overflows_again(*c))
            check_true(about(t, ASPECT_STAYS_FROZEN), "overflow-while-frozen", !(status >> c->bit & 1), status,
                       "this counter's bit clear in IA32_PERF_GLOBAL_STATUS", c->msr);
    return !pmis;
}

static bool frozen_then_not(struct test *t)
{
    u64 mask = setup_short(t);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
    pmi_listen(cell_delivery(t), PMI_STOP);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, mask);
    spin_in_ring(t, 2 * EVENTS);
    if (check_silent(t)) {
        if (!t->cell.nmi)
            interrupts_on();
        write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ);
        spin_in_ring(t, 2 * EVENTS);
        check_delivered(about(t, ASPECT_FREEZE), 0);
    }
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    pmi_close();
    pmu_status_clear(STATUS_CTR_FRZ | caps_counter_bits(t->caps));
    return more_samples(t);
}

TEST("freeze.no-pmi", .title = "No PMI comes while CTR_FRZ is set",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-025,B-031",
     .needs = {.version = 4, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = frozen_then_not,
     .cells = CELL_RINGS | CELL_DELIVERIES, .aside = ASIDE(AROUND_EVENT));
