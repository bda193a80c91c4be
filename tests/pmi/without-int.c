/*
 * A counter whose interrupt bit is clear overflows without a PMI, although LVTPC is open: EVTSELn.INT for
 * general-purpose counters, the PMI bit of IA32_FIXED_CTR_CTRL for fixed ones.
 */
#include "harness/provoke.h"
#include "kernel/cpu/interrupt.h"

static bool each_counter(struct test *t)
{
    struct counter c = next_counter(t);
    pmi_open(PMI_FIXED, PMI_ACK);
    interrupts_on();
    provoke_overflow(t, c, COUNT_OS);
    settle();
    interrupts_off();
    check_equal(t, "delivered", pmi_log()->count, 0, c.msr);
    pmu_status_clear(BIT(c.bit));
    pmi_close();
    counter_clear(c);
    return true;
}

TEST("pmi.without-int", .title = "Without its interrupt bit a counter overflows silently",
     .spec = "SDM 3B, Generating an Interrupt on Overflow", .covers = "A-108",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = each_counter);
