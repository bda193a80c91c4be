/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A trace cannot be changed while it is on: IA32_RTIT_CTL accepts the same value again, or one that ends the trace; any
 * other causes a general-protection fault, as does any write to the registers of its output and its filters. Nor can a
 * trace without an output be turned on, unless the bit that selects a table reads 1 whatever is written (Broadwell).
 * Drivers rely on it to notice that somebody else traces.
 *
 * Every address that is tried is of this CPU's own pages: if it is accepted, it does no harm.
 */
#include "harness/chapter/tracing.h"

static void while_on(struct test *t, const struct tracing *tracing)
{
    u64 base = (u64)tracing->area.table;
    trace_on(TRACE_CONTROL);
    check_fault(t, "same-value-faults", wrmsr_try(MSR_RTIT_CTL, TRACE_CONTROL), NO_FAULT, MSR_RTIT_CTL);
    check_fault(t, "changed-while-on", wrmsr_try(MSR_RTIT_CTL, TRACE_CONTROL | RTIT_CTL_USER), FAULT_GP, MSR_RTIT_CTL);
    check_fault(t, "base-while-on", wrmsr_try(MSR_RTIT_OUTPUT_BASE, base), FAULT_GP, MSR_RTIT_OUTPUT_BASE);
    check_fault(t, "position-while-on", wrmsr_try(MSR_RTIT_OUTPUT_MASK_PTRS, RTIT_PTRS_ONES), FAULT_GP,
                MSR_RTIT_OUTPUT_MASK_PTRS);
    if (t->caps->trace_features & TRACE_CR3)
        check_fault(t, "filter-while-on", wrmsr_try(MSR_RTIT_CR3_MATCH, read_msr(t, MSR_RTIT_CR3_MATCH)), FAULT_GP,
                    MSR_RTIT_CR3_MATCH);
    check_fault(t, "end-faults", wrmsr_try(MSR_RTIT_CTL, TRACE_CONTROL & ~RTIT_CTL_TRACE_EN), NO_FAULT, MSR_RTIT_CTL);
    trace_off();
}

static void while_off(struct test *t, const struct tracing *tracing)
{
    u64 base = (u64)tracing->area.table;
    check_fault(t, "low-bits-taken", wrmsr_try(MSR_RTIT_OUTPUT_BASE, base | 1), FAULT_GP, MSR_RTIT_OUTPUT_BASE);
    check_equal(t, "base-changed", read_msr(t, MSR_RTIT_OUTPUT_BASE), base, MSR_RTIT_OUTPUT_BASE);
    bool always_table = read_msr(t, MSR_RTIT_CTL) & RTIT_CTL_TOPA;
    if (!(t->caps->trace_outputs & (TRACE_TO_RANGE | TRACE_TO_FABRIC)) && !always_table)
        check_fault(t, "on-without-output", wrmsr_try(MSR_RTIT_CTL, TRACE_CONTROL & ~RTIT_CTL_TOPA), FAULT_GP,
                    MSR_RTIT_CTL);
}

static void faults(struct test *t)
{
    struct tracing tracing = tracing_begin(t, 0, 0);
    while_on(t, &tracing);
    while_off(t, &tracing);
    tracing_end(t);
}

TEST("trace.faults", .title = "A trace that is on cannot be changed", .spec = "SDM 3C, IA32_RTIT_CTL MSR",
     .needs = NEEDS_VERSION(2), .scope = EACH_CPU, .prepare = need_trace, .run = faults);
