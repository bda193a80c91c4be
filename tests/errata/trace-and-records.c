/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processor trace and branch records may exclude each other, but no access faults by that: a trace can be turned on
 * while branches are recorded and the other way round, and records can be read and written while a trace is on. Which
 * of the two goes on is not asked. On some CPUs the second of the two faults (BDD108, BDM104), and so does each access
 * to a record (BDD96, BDM110).
 */
#include "harness/chapter/branches.h"
#include "harness/chapter/probing.h"
#include "harness/chapter/tracing.h"

static void trace_second(struct test *t, u64 debugctl)
{
    write_msr(t, MSR_DEBUGCTL, debugctl | DEBUGCTL_LBR);
    fault_t fault = wrmsr_try(MSR_RTIT_CTL, TRACE_CONTROL);
    trace_off();
    write_msr(t, MSR_DEBUGCTL, debugctl);
    check_fault(about(t, ASPECT_TRACE_BESIDE), "trace-faults", fault, NO_FAULT, MSR_RTIT_CTL);
}

static void records_second(struct test *t, u64 debugctl)
{
    trace_on(TRACE_CONTROL);
    fault_t fault = wrmsr_try(MSR_DEBUGCTL, debugctl | DEBUGCTL_LBR);
    trace_off();
    write_msr(t, MSR_DEBUGCTL, debugctl);
    check_fault(about(t, ASPECT_TRACE_BESIDE), "recording-faults", fault, NO_FAULT, MSR_DEBUGCTL);
}

static void access_traced(struct test *t, const struct lbr_stack *stack)
{
    u64 value;
    trace_on(TRACE_CONTROL);
    fault_t read = rdmsr_try(stack->to, &value), written = wrmsr_try(stack->to, 0);
    trace_off();
    check_fault(about(t, ASPECT_RECORDS_TRACED), "read-faults", read, NO_FAULT, stack->to);
    check_fault(about(t, ASPECT_RECORDS_TRACED), "write-faults", written, NO_FAULT, stack->to);
}

static void trace_and_records(struct test *t)
{
    struct recording r = recording_begin(t);
    tracing_begin(t, 0, 0);
    trace_second(t, r.debugctl & ~DEBUGCTL_LBR);
    records_second(t, r.debugctl & ~DEBUGCTL_LBR);
    access_traced(t, &r.stack);
    tracing_end(t);
    recording_end(t, &r);
}

static void prepare(struct test *t)
{
    need(t, &(struct needs){.told = 1 + FACT_TRACE_HIDES});
    need_writable_records(t);
    need_record_top(t);
}

TEST("errata.trace-and-records", .title = "No access to trace or branch records faults because of the other",
     .spec = "SDM 3C, IA32_RTIT_CTL MSR",
     .needs = {.version = 2, .trace = true, .probe = true, .told = 1 + FACT_TRACE_EXCLUDES}, .scope = EACH_CORE,
     .prepare = prepare, .run = trace_and_records);
