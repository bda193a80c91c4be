/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Software freezes the last-branch records by writing LBR_FRZ to IA32_PERF_GLOBAL_STATUS_SET: no more branches are
 * recorded until it is cleared through IA32_PERF_GLOBAL_STATUS_RESET.
 *
 * If no record changes even before the freeze, a filter that firmware set hides this code's branches, and it is not
 * judged whether recording resumes. On classes that are not known to have the bit, only its clearing is judged; all
 * else is measured.
 */
#include "harness/chapter/frozen_records.h"

/* On a class that is not known to have the bit: measures what happens. */
static void freeze_and_look(struct test *t)
{
    u64 found = freeze_begin(DEBUGCTL_LBR), status;
    bool taken = wrmsr_try(MSR_PERF_GLOBAL_STATUS_SET, STATUS_LBR_FRZ) == NO_FAULT;
    measure(t, "taken", "runs", taken);
    if (rdmsr_try(MSR_PERF_GLOBAL_STATUS, &status) == NO_FAULT)
        measure(t, "set", "bit", !!(status & STATUS_LBR_FRZ));
    measure(t, "moved-while-set", "runs", records_move(t));
    wrmsr_try(MSR_PERF_GLOBAL_STATUS_RESET, STATUS_LBR_FRZ);
    check_bit(t, "lbr-frz-not-cleared", MSR_PERF_GLOBAL_STATUS, STATUS_LBR_FRZ, false);
    freeze_end(found);
}

static void freeze_and_resume(struct test *t)
{
    u64 mask = setup_all(t, NULL), found = freeze_begin(DEBUGCTL_LBR);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, mask);
    bool moving = records_move(t);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, STATUS_LBR_FRZ);
    check_bit(t, "lbr-frz-not-set", MSR_PERF_GLOBAL_STATUS, STATUS_LBR_FRZ, true);
    check_true(t, "records-moved", !records_move(t), 1, "records stay while frozen", MSR_LBR_TOS);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_LBR_FRZ);
    check_bit(t, "lbr-frz-not-cleared", MSR_PERF_GLOBAL_STATUS, STATUS_LBR_FRZ, false);
    if (moving)
        check_true(t, "records-stay", records_move(t), 0, "records move again", MSR_LBR_TOS);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    freeze_end(found);
    measure(t, "recorded", "runs", moving);
}

static bool freeze(struct test *t)
{
    if (class_lbr_frz(cpu_class(t->caps)))
        freeze_and_resume(t);
    else
        freeze_and_look(t);
    return more_slow_samples(t);
}

TEST("freeze.lbrs-by-software", .title = "STATUS_SET freezes the LBRs and STATUS_RESET ends the freeze",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-026",
     .needs = {.version = 4, .event = 2}, .scope = EACH_CPU, .prepare = need_lbr_freeze, .repeat = freeze,
     .measures = true);
