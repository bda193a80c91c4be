/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * While LVTPC is masked nothing is delivered, whether software has masked it or the delivery of a PMI. Nothing comes
 * late either, once the overflow bit is cleared and LVTPC unmasked. (Unmasking while the bit is still set may deliver a
 * PMI or not: that is not tested.)
 *
 * An NMI from elsewhere that comes while the overflow bit is set looks like a PMI: with NMI delivery a PMI is judged
 * only if one comes at every try.
 */
#include "harness/test.h"

#define NMI_TRIES 3

/* How many PMIs came although masked. */
struct came {
    u32 while_masked, after_clear, second;
};

static void masked_by_software(struct test *t, struct counter c, struct came *came)
{
    pmi_open(cell_delivery(t), PMI_ACK);
    apic_write(APIC_LVT_PC, apic_read(APIC_LVT_PC) | LVT_MASKED);
    interrupts_on();
    provoke_overflow(t, c, ring_flags(t) | COUNT_INT);
    settle();
    came->while_masked = pmi_log()->count;
    pmu_status_clear(BIT(c.bit));
    apic_write(APIC_LVT_PC, apic_read(APIC_LVT_PC) & ~(u32)LVT_MASKED);
    came->after_clear = pmi_settled() - came->while_masked;
    pmi_close();
}

/* The handler leaves LVTPC masked by the delivery. */
static void masked_by_delivery(struct test *t, struct counter c, struct came *came)
{
    pmi_listen(cell_delivery(t), PMI_STOP | PMI_CLEAR_STATUS);
    provoke_overflow(t, c, ring_flags(t) | COUNT_INT);
    pmi_wait(1);
    settle();
    u32 first = pmi_log()->count;
    provoke_overflow(t, c, ring_flags(t) | COUNT_INT);
    came->second = pmi_settled() - first;
    pmu_status_clear(BIT(c.bit));
    pmi_close();
}

static struct came try(struct test *t, struct counter c)
{
    struct came came;
    masked_by_software(t, c, &came);
    masked_by_delivery(t, c, &came);
    return came;
}

static bool any(const struct came *came)
{
    return came->while_masked || came->after_clear || came->second;
}

static void take_less(u32 *most, u32 one)
{
    *most = one < *most ? one : *most;
}

static bool both(struct test *t)
{
    struct counter c = next_counter(t);
    under_test(t, BIT(c.bit), BIT(c.bit));
    struct came came = try(t, c);
    for (unsigned i = 1; i < NMI_TRIES && any(&came) && cell_delivery(t) == PMI_NMI; i++) {
        struct came again = try(t, c);
        take_less(&came.while_masked, again.while_masked);
        take_less(&came.after_clear, again.after_clear);
        take_less(&came.second, again.second);
    }
    check_equal(t, "delivered-while-masked", came.while_masked, 0, 0);
    check_equal(t, "delivered-after-clear", came.after_clear, 0, 0);
    check_equal(about(t, ASPECT_PMI_MASKS), "second-while-masked", came.second, 0, 0);
    return true;
}

TEST("pmi.masked", .title = "Nothing is delivered while LVTPC is masked", .spec = "SDM 3A, Local Vector Table",
     .covers = "B-040", .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = both,
     .cells = CELL_RINGS | CELL_DELIVERIES | CELL_COUNTERS | CELL_NEIGHBOURS, .aside = ASIDE_COUNTERS);
