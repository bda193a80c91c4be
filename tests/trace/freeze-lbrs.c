/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With IA32_DEBUGCTL[11] set the PMI of a full region freezes the branch records like any other: LBR_FRZ is set, and no
 * record follows until it is cleared. On CPUs where branch records and trace exclude each other, there is nothing to
 * test: the WRMSR that turns on the trace faults (BDM104), or no branch is recorded while it is on (Skylake).
 */
#include "harness/chapter/frozen_records.h"
#include "harness/chapter/tracing.h"

#define ON (DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS_ON_PMI)

/* Skips if the WRMSR faults while branches are recorded, or if the trace stops the recording. */
static void need_both(struct test *t)
{
    tracing_begin(t, 0, 0);
    u64 found = freeze_begin(ON);
    bool moved = records_move(t);
    fault_t fault = wrmsr_try(MSR_RTIT_CTL, TRACE_CONTROL);
    bool stand = moved && !fault && !records_move(t);
    wrmsr_try(MSR_RTIT_CTL, 0);
    freeze_end(found);
    tracing_end(t);
    if (fault)
        skip(t, "WRMSR of IA32_RTIT_CTL faults while IA32_DEBUGCTL[0]=1: branch records and trace exclude each other");
    if (stand)
        skip(t, "no branch is recorded while IA32_RTIT_CTL[0]=1: branch records and trace exclude each other");
}

static void prepare(struct test *t)
{
    need_trace(t);
    need_lbr_freeze(t);
    if (!class_lbr_frz(cpu_class(t->caps)))
        skip(t, "CPUID.1:EAX=0x%x: not known how branch records freeze", t->caps->signature);
    need_both(t);
}

/* If no record moves even before, a filter set by firmware hides this code's branches. */
static void frozen(struct test *t, bool moving)
{
    if (!check_bit(t, "no-lbr-frz", MSR_PERF_GLOBAL_STATUS, STATUS_LBR_FRZ, true))
        return;
    check_true(t, "recorded-while-frozen", !records_move(t), 1, "the same records", MSR_LBR_TOS);
    pmu_status_clear(STATUS_LBR_FRZ | STATUS_TRACE_TOPA_PMI);
    if (moving)
        check_true(t, "not-resumed", records_move(t), 0, "further records", MSR_LBR_TOS);
}

static bool freeze_lbrs(struct test *t)
{
    tracing_begin(t, TOPA_INT, 0);
    u64 found = freeze_begin(ON);
    bool moving = records_move(t);
    tracing_leave_little(t); /* so that branches are not recorded for long */
    pmi_listen(cell_delivery(t), 0);
    trace_until(TRACE_REGION_BYTES);
    if (check_delivered(t, 0))
        frozen(t, moving);
    pmi_close();
    freeze_end(found);
    tracing_end(t);
    return more_slow_samples(t);
}

TEST("trace.freeze-lbrs", .title = "The PMI of a trace freezes the branch records with DEBUGCTL[11] set",
     .spec = "SDM 3B, Freezing LBR and Performance Counters on PMI", .needs = {.version = 4, .apic = true},
     .scope = EACH_CORE, .prepare = prepare, .repeat = freeze_lbrs, .cells = CELL_DELIVERIES);
