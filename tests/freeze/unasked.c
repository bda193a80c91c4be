/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With IA32_DEBUGCTL[12] clear a PMI freezes nothing: IA32_PERF_GLOBAL_CTRL keeps its value, CTR_FRZ of
 * IA32_PERF_GLOBAL_STATUS (version 4) stays clear, and each counter continues, including the one that overflowed.
 *
 * One counter after the other overflows while all run, or all overflow together, with the freeze of branch records on
 * PMIs that is a bit of its own; the handler only records. A kernel that does not use the freeze
 * never clears CTR_FRZ: its counters would stand still from the first PMI on.
 */
#include "harness/test.h"

static void go_on(struct test *t, u64 mask)
{
    if (t->caps->version >= VERSION_STREAMLINED)
        check_bit(t, "frozen-unasked", MSR_PERF_GLOBAL_STATUS, STATUS_CTR_FRZ, false);
    check_bits(t, "disabled-unasked", MSR_PERF_GLOBAL_CTRL, mask, mask);
    check_moving(t, "stopped-unasked");
}

static bool one_counter(struct test *t)
{
    struct counter list[COUNTERS_MAX], c = next_counter(t);
    bool together = t->turn % 2;
    u64 records = together ? gate_bits(t->caps, MSR_DEBUGCTL) & DEBUGCTL_FREEZE_LBRS_ON_PMI : 0;
    u64 found = freeze_begin(0), mask = setup_all(t, together ? NULL : &c) | (together ? setup_together(t) : 0);
    write_msr(t, MSR_DEBUGCTL, (found & ~DEBUGCTL_FREEZE_PERFMON_ON_PMI) | records);
    pmi_listen(PMI_FIXED, 0);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, mask);
    if (check_delivered(t, c.msr))
        go_on(t, mask);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    if (records)
        pmi_unmask_first(t->caps);
    pmu_status_clear(caps_counter_bits(t->caps) | STATUS_LBR_FRZ);
    pmi_close();
    freeze_end(found);
    return more_samples_of(t, counters(t->caps, list));
}

TEST("freeze.unasked", .title = "Without IA32_DEBUGCTL[12] a PMI freezes nothing",
     .spec = "SDM 3B, Freezing LBR and Performance Counters on PMI", .covers = "B-031,B-032",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .prepare = need_freeze,
     .repeat = one_counter);
