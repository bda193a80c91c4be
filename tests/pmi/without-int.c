/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter whose interrupt bit is clear overflows without a PMI, although LVTPC is unmasked: EVTSELn.INT for
 * general-purpose counters, the PMI bit of IA32_FIXED_CTR_CTRL for fixed ones.
 */
#include "harness/test.h"

static bool each_counter(struct test *t)
{
    struct counter c = next_counter(t);
    under_test(t, BIT(c.bit), BIT(c.bit));
    pmi_listen(cell_delivery(t), PMI_ACK);
    provoke_overflow(t, c, ring_flags(t));
    check_equal(t, "delivered", pmi_settled(), 0, c.msr);
    pmu_status_clear(BIT(c.bit));
    pmi_close();
    counter_clear(c);
    return true;
}

TEST("pmi.without-int", .title = "Without its interrupt bit a counter overflows silently",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "A-108",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = each_counter,
     .cells = CELL_RINGS | CELL_DELIVERIES | CELL_COUNTERS | CELL_NEIGHBOURS, .aside = ASIDE_COUNTERS);
