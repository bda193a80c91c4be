/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter that overflows without its interrupt bit sets its bit of IA32_PERF_GLOBAL_STATUS and raises no PMI. Then
 * the interrupt bit is set while the overflow bit is still set: whether that raises a late PMI is not promised (some
 * CPUs repeat PMIs until the overflow is cleared), so it is measured.
 */
#include "harness/test.h"

static bool set_int_later(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = counters_for(t, ARCH_EVENT_INSTRUCTIONS, list);
    struct counter c = list[t->turn % n];
    under_test(t, BIT(c.bit), BIT(c.bit));
    pmi_listen(PMI_FIXED, PMI_ACK);
    provoke_overflow(t, c, COUNT_OS);
    settle();
    check_equal(t, "delivered", pmi_log()->count, 0, c.msr);
    check_bit(t, "no-status-bit", MSR_PERF_GLOBAL_STATUS, BIT(c.bit), true);
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_INT, 0);
    measure(t, "belated", "pmis", pmi_settled());
    pmu_status_clear(BIT(c.bit));
    pmi_close();
    counter_clear(c);
    return more_samples_of(t, n);
}

TEST("global.int-later", .title = "An overflow without its interrupt bit sets STATUS and raises nothing",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-029",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = set_int_later, .measures = true,
     .aside = ASIDE_COUNTERS);
