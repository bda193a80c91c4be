/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With IA32_DEBUGCTL[12] set the PMI of a full region freezes the counters like any other: from version 4 on CTR_FRZ is
 * set, no counter moves, and after CTR_FRZ is cleared they continue; before version 4 IA32_PERF_GLOBAL_CTRL is cleared.
 * With the bit clear nothing freezes. On Skylake a trace's PMI does not freeze (SKL125).
 *
 * The trace itself is not frozen: it continues into the next region, and ends there.
 */
#include "harness/chapter/tracing.h"

static void prepare(struct test *t)
{
    need_trace(t);
    need_freeze(t);
}

/* All counters run while a region fills; the handler only records. Returns whether a PMI came. */
static bool fill_and_count(struct test *t, u64 mask)
{
    tracing_begin(t, TOPA_INT, 0);
    tracing_leave_little(t); /* so that the counters do not run for long */
    pmi_listen(cell_delivery(t), 0);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, mask);
    trace_until(TRACE_REGION_BYTES);
    return check_delivered(about(t, ASPECT_FREEZE), 0);
}

static void end(struct test *t)
{
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    pmu_status_clear(caps_counter_bits(t->caps) | STATUS_TRACE_TOPA_PMI);
    pmi_close();
    tracing_end(t);
}

static void check_frozen(struct test *t, u64 mask)
{
    if (t->caps->version < VERSION_STREAMLINED) {
        check_bits(about(t, ASPECT_TRACE_FREEZE), "still-enabled", MSR_PERF_GLOBAL_CTRL, mask, 0);
        return;
    }
    if (!check_bit(about(t, ASPECT_TRACE_FREEZE), "no-ctr-frz", MSR_PERF_GLOBAL_STATUS, STATUS_CTR_FRZ, true))
        return;
    check_stopped(t, "not-frozen");
    pmi_unmask_first(t->caps);
    pmu_status_clear(STATUS_CTR_FRZ | STATUS_TRACE_TOPA_PMI | caps_counter_bits(t->caps));
    check_moving(t, "not-resumed");
}

static void freezes(struct test *t)
{
    u64 found = freeze_begin(DEBUGCTL_FREEZE_PERFMON_ON_PMI), mask = setup_all(t, NULL);
    if (fill_and_count(t, mask))
        check_frozen(t, mask);
    end(t);
    freeze_end(found);
}

static void goes_on(struct test *t)
{
    u64 found = freeze_begin(0), mask = setup_all(t, NULL);
    write_msr(t, MSR_DEBUGCTL, found & ~DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    if (fill_and_count(t, mask)) {
        if (t->caps->version >= VERSION_STREAMLINED)
            check_bit(t, "frozen-unasked", MSR_PERF_GLOBAL_STATUS, STATUS_CTR_FRZ, false);
        check_bits(t, "disabled-unasked", MSR_PERF_GLOBAL_CTRL, mask, mask);
    }
    end(t);
    freeze_end(found);
}

/* In turn, with the bit set and with it clear. */
static bool freeze(struct test *t)
{
    if (t->turn / 2 % 2)
        goes_on(t);
    else
        freezes(t);
    return more_samples_of(t, 4);
}

TEST("trace.freeze", .title = "The PMI of a trace freezes the counters with DEBUGCTL[12] set",
     .spec = "SDM 3B, Freezing LBR and Performance Counters on PMI", .needs = {.version = 2, .event = 2, .apic = true},
     .scope = EACH_CPU, .prepare = prepare, .repeat = freeze, .cells = CELL_DELIVERIES);
