/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A PMI that is on its way when the CPU halts wakes it. Overflows are placed at every instruction on the way into HLT:
 * some PMIs are raised before it and arrive after it. A timer tick bounds the sleep; by then the PMI must have come.
 *
 * If the CPU loses it (as some did on their way into a deep sleep), a profiler waits for ever.
 */
#include "harness/test.h"

#define PLACES 40 /* instructions before the overflow: more than there are between the start and HLT */

static bool halt_behind_overflow(struct test *t, void *argument)
{
    u32 place = *(u32 *)argument;
    struct counter c = gp_counter(t->caps, 0);
    may_overflow_at_stop(t, c);
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_INT, counter_preset(c, 1 + place));
    pmi_open(PMI_FIXED, PMI_ACK);
    apic_tick(true);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
    sti_hlt();
    apic_tick(false);
    interrupts_on();
    check_delivered(t, c.msr);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    pmi_close();
    return false;
}

static void halted(struct test *t)
{
    for (u32 place = 0; place < PLACES; place++)
        repeat_clean(t, halt_behind_overflow, &place);
}

TEST("pmi.halted", .title = "A PMI on its way wakes a CPU that halts", .spec = "SDM 3A, Local Vector Table",
     .covers = "B-052", .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .run = halted);
