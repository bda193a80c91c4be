/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERFEVTSELn.INV inverts the comparison with the counter mask: the counter counts the cycles in which the event
 * occurred less often than the mask says. No core retires 255 instructions in a cycle, so with that mask and INV it
 * counts every cycle; drivers use it as another counter of cycles.
 *
 * Two counters count the same block, one with INV, the other core cycles. The one with INV must have half as many or
 * more. How many more is measured: on many CPUs it also counts cycles of other threads, and cycles outside C0.
 */
#include "harness/test.h"

#define K 400 /* 4,800 instructions: starting the counters is little beside it */
#define HIGHEST 255

static void select_from_0(struct test *t, struct counter c, u64 control)
{
    write_msr(t, MSR_PERFEVTSEL(c.index), 0);
    write_msr(t, c.msr, 0);
    write_msr(t, MSR_PERFEVTSEL(c.index), control | EVTSEL_OS | EVTSEL_EN);
}

static bool one_counter(struct test *t)
{
    struct counter inverted = gp_in_turn(t, t->turn), other = gp_in_turn(t, t->turn + 1);
    select_from_0(t, inverted, EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | EVTSEL_INV | EVTSEL_CMASK(HIGHEST));
    select_from_0(t, other, EVTSEL_ENCODING(ARCH_EVENT_CORE_CYCLES));
    run_block(t, BIT(inverted.bit) | BIT(other.bit), K);
    u64 cycles = counter_read(other), counted = counter_read(inverted);
    measure(t, "of-100-cycles", "cycles", cycles ? counted * 100 / cycles : 0);
    check_true(t, "inverted-lost", counted >= cycles / 2, counted, "about as many as there are cycles", inverted.msr);
    counter_clear(inverted);
    counter_clear(other);
    return more_samples_of(t, t->caps->gp_count);
}

static void need_two_counters(struct test *t)
{
    if (t->caps->gp_count < 2)
        skip(t, "CPUID.0AH:EAX=0x%08x: one GP counter, two are needed", t->caps->leaf0a.eax);
    if (!caps_event_available(t->caps, 0))
        skip(t, "CPUID.0AH:EBX=0x%08x: no event of core cycles", t->caps->leaf0a.ebx);
}

TEST("gp.inverted", .title = "With INV a counter counts the cycles below its counter mask",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-057",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .prepare = need_two_counters, .repeat = one_counter,
     .measures = true);
