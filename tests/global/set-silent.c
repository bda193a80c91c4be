/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_GLOBAL_STATUS_SET is for restoring a guest's state: it sets bits of IA32_PERF_GLOBAL_STATUS and does
 * nothing else. Here it sets the overflow bits of all counters while their interrupt bits are set, LVTPC is open and
 * interrupts are on. No counter has overflowed, so no PMI comes, and each counter keeps its value.
 *
 * Otherwise a hypervisor that restores a guest would deliver an overflow a second time.
 */
#include "harness/test.h"

#define VALUE 0x1234

static bool set_all(struct test *t)
{
    u64 all = caps_counter_bits(t->caps);
    for_each_counter (t, c)
        counter_setup(*c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_INT, VALUE);
    pmi_listen(PMI_FIXED, PMI_UNMASK);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, all);
    check_equal(t, "raised", pmi_settled(), 0, MSR_PERF_GLOBAL_STATUS_SET);
    check_bits(t, "not-set", MSR_PERF_GLOBAL_STATUS, all, all);
    for_each_counter (t, c)
        check_equal(t, "counter-changed", counter_read(*c), VALUE, c->msr);
    pmu_status_clear(all);
    pmi_close();
    return more_samples(t);
}

TEST("global.set-silent", .title = "STATUS_SET of overflow bits raises no PMI and alters no counter",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-024",
     .needs = {.version = 4, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = set_all);
