/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Delivering a PMI sets the mask bit of LVTPC, with fixed and with NMI delivery, and changes nothing else in it. The
 * handler reads LVTPC before anything else. (The manual says so in a footnote to the LVT figure; every family 6 CPU
 * from Pentium M on is known to do it.)
 *
 * Handlers rely on it: the next PMI cannot come before they unmask LVTPC again.
 */
#include "harness/test.h"

static void overflow(struct test *t, enum pmi_delivery delivery, const char *label)
{
    struct counter c = next_counter(t);
    under_test(t, BIT(c.bit), BIT(c.bit));
    pmi_listen(delivery, PMI_ACK);
    u32 programmed = apic_read(APIC_LVT_PC) & ~(u32)LVT_STATUS;
    provoke_overflow(t, c, ring_flags(t) | COUNT_INT);
    if (check_delivered(t, c.msr)) {
        u32 lvtpc = pmi_log()->record[0].lvtpc & ~(u32)LVT_STATUS;
        check_true(about(t, ASPECT_PMI_MASKS), label, lvtpc & LVT_MASKED, lvtpc, "bit 16, the mask, set by the PMI",
                   REGISTER_LVTPC);
        check_equal(t, "lvtpc-changed", lvtpc & ~(u32)LVT_MASKED, programmed, REGISTER_LVTPC);
    }
    pmi_close();
}

static bool both_deliveries(struct test *t)
{
    overflow(t, PMI_FIXED, "lvtpc-not-masked");
    overflow(t, PMI_NMI, "lvtpc-not-masked-by-nmi");
    return true;
}

TEST("pmi.mask-set", .title = "Delivery of a PMI masks LVTPC", .spec = "SDM 3A, Local Vector Table",
     .covers = "B-040,B-042", .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU,
     .repeat = both_deliveries, .cells = CELL_RINGS | CELL_COUNTERS | CELL_NEIGHBOURS, .aside = ASIDE_COUNTERS);
