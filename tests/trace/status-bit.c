/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bit 55 of IA32_PERF_GLOBAL_STATUS is independent of the others: clearing it does not change the counters' bits, and
 * clearing those does not change it. From version 4 on IA32_PERF_GLOBAL_STATUS_SET sets it, and only it.
 *
 * Here a full region sets it, with LVTPC masked.
 */
#include "harness/chapter/tracing.h"

#define VERSION_SET 4

static void by_software(struct test *t, u64 counters)
{
    fault_t fault = wrmsr_try(MSR_PERF_GLOBAL_STATUS_SET, STATUS_TRACE_TOPA_PMI);
    if (!check_fault(about(t, ASPECT_TRACE_SET), "set-faults", fault, NO_FAULT, MSR_PERF_GLOBAL_STATUS_SET))
        return;
    check_bit(t, "not-set", MSR_PERF_GLOBAL_STATUS, STATUS_TRACE_TOPA_PMI, true);
    check_bits(t, "others-set", MSR_PERF_GLOBAL_STATUS, counters, 0);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_TRACE_TOPA_PMI);
    check_bit(t, "not-cleared", MSR_PERF_GLOBAL_STATUS, STATUS_TRACE_TOPA_PMI, false);
}

static void beside_counters(struct test *t)
{
    u64 overflowed = provoke_all(t, COUNT_OS);
    check_bit(t, "lost-by-overflow", MSR_PERF_GLOBAL_STATUS, STATUS_TRACE_TOPA_PMI, true);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_TRACE_TOPA_PMI);
    check_bit(t, "not-cleared", MSR_PERF_GLOBAL_STATUS, STATUS_TRACE_TOPA_PMI, false);
    check_bits(t, "counters-cleared", MSR_PERF_GLOBAL_STATUS, overflowed, overflowed);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, overflowed);
}

static bool status_bit(struct test *t)
{
    u64 counters = caps_counter_bits(t->caps);
    tracing_begin(t, TOPA_INT, 0);
    trace_until(TRACE_REGION_BYTES);
    if (check_bit(t, "not-told", MSR_PERF_GLOBAL_STATUS, STATUS_TRACE_TOPA_PMI, true)) {
        check_bits(t, "counters-told", MSR_PERF_GLOBAL_STATUS, counters, 0);
        write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, counters);
        check_bit(t, "cleared-with-counters", MSR_PERF_GLOBAL_STATUS, STATUS_TRACE_TOPA_PMI, true);
        beside_counters(t);
    }
    tracing_end(t);
    if (t->caps->version >= VERSION_SET)
        by_software(t, counters);
    return more_samples(t);
}

TEST("trace.status-bit", .title = "The trace's bit of STATUS is set and cleared alone",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .prepare = need_trace, .repeat = status_bit);
