/*
 * While LVTPC is masked nothing is delivered: neither when software has masked it, nor when a delivered PMI has. After
 * the overflow bit is cleared and LVTPC unmasked nothing comes late either. (Unmasking while the bit is still set may
 * deliver or not: that is not asked.)
 */
#include "harness/provoke.h"
#include "kernel/cpu/apic.h"
#include "kernel/cpu/interrupt.h"

static u32 masked_by_software(struct test *t, struct counter c, u32 *late)
{
    u32 while_masked;
    pmi_open(cell_delivery(t), PMI_ACK);
    apic_write(APIC_LVT_PC, apic_read(APIC_LVT_PC) | LVT_MASKED);
    interrupts_on();
    provoke_overflow(t, c, ring_flags(t) | COUNT_INT);
    settle();
    while_masked = pmi_log()->count;
    pmu_status_clear(BIT(c.bit));
    apic_write(APIC_LVT_PC, apic_read(APIC_LVT_PC) & ~(u32)LVT_MASKED);
    *late = pmi_settled() - while_masked;
    pmi_close();
    return while_masked;
}

/* The handler leaves LVTPC as the delivery made it. */
static u32 masked_by_delivery(struct test *t, struct counter c)
{
    u32 first, second;
    pmi_listen(cell_delivery(t), PMI_STOP | PMI_CLEAR_STATUS);
    provoke_overflow(t, c, ring_flags(t) | COUNT_INT);
    pmi_wait(1);
    settle();
    first = pmi_log()->count;
    provoke_overflow(t, c, ring_flags(t) | COUNT_INT);
    second = pmi_settled() - first;
    pmu_status_clear(BIT(c.bit));
    pmi_close();
    return second;
}

static bool both(struct test *t)
{
    struct counter c = next_counter(t);
    u32 late, count = masked_by_software(t, c, &late);
    check_equal(t, "delivered-while-masked", count, 0, 0);
    check_equal(t, "delivered-after-clear", late, 0, 0);
    u32 second = masked_by_delivery(t, c);
    check_equal(about(t, ASPECT_PMI_MASKS), "second-while-masked", second, 0, 0);
    return true;
}

TEST("pmi.masked", .title = "Nothing is delivered while LVTPC is masked", .spec = "SDM 3A, Local Vector Table",
     .covers = "B-040", .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = both,
     .cells = CELL_RINGS | CELL_DELIVERIES | CELL_COUNTERS);
