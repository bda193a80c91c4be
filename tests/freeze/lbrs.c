/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With IA32_DEBUGCTL[11] set, a PMI freezes the last-branch records (version 4, "streamlined"):
 * IA32_PERF_GLOBAL_STATUS.LBR_FRZ is set, no more branches are recorded, and the enable bit IA32_DEBUGCTL[0] keeps its
 * value, while older versions clear it. Clearing LBR_FRZ through IA32_PERF_GLOBAL_STATUS_RESET ends the freeze.
 *
 * The records are compared with their own contents a little later, except the newest one, which some CPUs write twice
 * (SKL186) or with a wrong origin (BJ94) when they freeze. If no record changes even before the freeze, a filter that
 * firmware set hides this code's branches, and it is not judged whether recording resumes.
 *
 * Drivers freeze counters and records together: so does half of the repeats, and both bits must be set.
 *
 * The manual's table for Goldmont has the older way of freezing for the LBRs and the newer one for counters; for
 * Goldmont Plus neither is known. On these it is measured which way the LBRs freeze.
 *
 * LVTPC is unmasked first and the overflow bits are cleared with LBR_FRZ, in one write, as drivers do: the manual does
 * not promise that recording resumes while the overflow bit that froze it is still set.
 */
#include "harness/chapter/frozen_records.h"

#define ON (DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS_ON_PMI)

/* In half of the cells the counters freeze as well. */
static u64 enables(const struct test *t)
{
    bool both = t->cell.user != t->cell.nmi && freeze_possible(t->caps);
    return ON | (both ? DEBUGCTL_FREEZE_PERFMON_ON_PMI : 0);
}

static void check_frozen(struct test *t, u64 mask, bool moving)
{
    u64 on = enables(t);
    check_bit(t, "no-lbr-frz", MSR_PERF_GLOBAL_STATUS, STATUS_LBR_FRZ, true);
    if (on & DEBUGCTL_FREEZE_PERFMON_ON_PMI)
        check_bit(about(t, ASPECT_FREEZE), "no-ctr-frz", MSR_PERF_GLOBAL_STATUS, STATUS_CTR_FRZ, true);
    check_bits(about(t, ASPECT_FREEZE_ENABLE), "debugctl-changed", MSR_DEBUGCTL, on, on);
    check_true(t, "records-moved", !records_move(t), 1, "records stay while frozen", MSR_LBR_TOS);
    pmi_unmask_first(t->caps);
    pmu_status_clear(STATUS_LBR_FRZ | STATUS_CTR_FRZ | caps_counter_bits(t->caps));
    check_bit(t, "lbr-frz-not-cleared", MSR_PERF_GLOBAL_STATUS, STATUS_LBR_FRZ, false);
    check_bits(about(t, ASPECT_FREEZE), "global-ctrl-changed", MSR_PERF_GLOBAL_CTRL, mask, mask);
    if (moving)
        check_true(t, "records-stay", records_move(t), 0, "records move again", MSR_LBR_TOS);
}

static bool freeze(struct test *t)
{
    struct counter c = next_counter(t);
    u64 mask = setup_all(t, &c), found = freeze_begin(enables(t));
    pmi_open(cell_delivery(t), 0);
    bool moving = records_move(t); /* before the PMI */
    interrupts_on();
    start_in_ring(t, mask);
    bool delivered = check_delivered(t, c.msr);
    if (delivered && class_lbr_frz(cpu_class(t->caps)))
        check_frozen(t, mask, moving);
    else if (delivered)
        measure(t, "lbr-frz", "bits", read_msr(t, MSR_PERF_GLOBAL_STATUS) / STATUS_LBR_FRZ & 1);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    freeze_end(found);
    pmu_status_clear(caps_counter_bits(t->caps));
    pmi_close();
    measure(t, "recorded", "runs", moving);
    return more_slow_samples(t);
}

TEST("freeze.lbrs", .title = "A PMI freezes the LBRs until LBR_FRZ is cleared",
     .spec = "SDM 3B, Freezing LBR and Performance Counters on PMI", .covers = "B-039",
     .needs = {.version = 4, .event = 2, .apic = true}, .scope = EACH_CPU, .prepare = need_lbr_freeze, .repeat = freeze,
     .cells = CELL_RINGS | CELL_DELIVERIES, .measures = true);
