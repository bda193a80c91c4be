/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How much an interrupt adds to the count of the interrupted code: on most CPUs one instruction, which no manual
 * promises. Counter 0 counts a block at CPL 3, first undisturbed, then while counter 1 raises a PMI in it; how much
 * more it then counts is measured. The handler runs at CPL 0 and is not counted.
 *
 * Judged is that the PMI comes.
 */
#include "harness/test.h"

#define K 50

static u64 count(struct test *t, struct counter counting, u64 mask)
{
    struct switch_write start_stop = counters_switch(t->caps, mask);
    u64 before = counter_read(counting);
    workloads[0].run_user(&start_stop, K);
    return counter_read(counting) - before;
}

static bool with_and_without(struct test *t)
{
    struct counter counting = gp_counter(t->caps, 0), raising = gp_counter(t->caps, caps_gp_index(t->caps, 1));
    counter_setup(counting, ARCH_EVENT_INSTRUCTIONS, COUNT_USR, 0);
    u64 alone = count(t, counting, BIT(counting.bit));
    counter_setup(raising, ARCH_EVENT_INSTRUCTIONS, COUNT_USR | COUNT_INT, counter_preset(raising, PROVOKE_EVENTS));
    pmi_listen(PMI_FIXED, PMI_CLEAR_STATUS);
    u64 interrupted = count(t, counting, BIT(counting.bit) | BIT(raising.bit));
    bool came = check_delivered(t, raising.msr);
    pmi_close();
    if (came)
        measure(t, interrupted >= alone ? "added" : "lost", "instructions",
                interrupted >= alone ? interrupted - alone : alone - interrupted);
    pmu_status_clear(BIT(raising.bit));
    counter_clear(raising);
    return true;
}

static void need_two_counters(struct test *t)
{
    if (t->caps->gp_count < 2)
        skip(t, "CPUID.0AH:EAX=0x%08x: two counters are needed", t->caps->leaf0a.eax);
}

TEST("pmi.adds-counts", .title = "What a PMI adds to a count",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "A-110,B-066",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .prepare = need_two_counters,
     .repeat = with_and_without, .measures = true);
