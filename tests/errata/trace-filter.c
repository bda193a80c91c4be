/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_RTIT_CR3_MATCH holds bits 63:5 of a CR3, so none of them is reserved: each alone can be written while no trace
 * is on. On some CPUs bits 11:5 fault (SKL141, KBL91), on others bits 63:48 (BDD66, BDM71). Nothing is filtered by it
 * here.
 */
#include "harness/chapter/probing.h"
#include "harness/chapter/tracing.h"

static void each(struct test *t, u64 aspect, const char *label, u64 bits)
{
    for (; bits; bits &= bits - 1)
        check_fault(about(t, aspect), label, wrmsr_try(MSR_RTIT_CR3_MATCH, bits & -bits), NO_FAULT, MSR_RTIT_CR3_MATCH);
}

static void filter(struct test *t)
{
    tracing_begin(t, 0, 0);
    u64 found = read_msr(t, MSR_RTIT_CR3_MATCH);
    each(t, ASPECT_CR3_LOW, "low-bit-faults", RTIT_CR3_PROBES & MASK(11, 5));
    each(t, ASPECT_CR3_HIGH, "high-bit-faults", RTIT_CR3_PROBES & MASK(63, 48));
    write_msr(t, MSR_RTIT_CR3_MATCH, found);
    tracing_end(t);
}

static void prepare(struct test *t)
{
    need(t, &(struct needs){.told = 1 + FACT_CR3_HIGH});
    if (!(t->caps->trace_features & TRACE_CR3))
        skip(t, "CPUID.14H:EBX=0x%x: no filter by CR3", t->caps->trace_features);
}

TEST("errata.trace-filter", .title = "IA32_RTIT_CR3_MATCH takes all bits of a CR3",
     .spec = "SDM 3C, Detection of Intel Processor Trace and Capability Enumeration",
     .needs = {.version = 2, .trace = true, .probe = true, .told = 1 + FACT_CR3_LOW}, .scope = EACH_CPU,
     .prepare = prepare, .run = filter);
