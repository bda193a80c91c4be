/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_GLOBAL_INUSE is read-only: a WRMSR to it causes a general-protection fault and changes nothing. Only the
 * value just read is written, and on classes of which a dump shows the fault the value 0: nobody knows what that does
 * on others.
 */
#include "harness/test.h"

static void try_write(struct test *t, const char *label, u64 value, u64 kept)
{
    fault_t fault = wrmsr_try(MSR_PERF_GLOBAL_INUSE, value);
    check_fault(t, label, fault, FAULT_GP, MSR_PERF_GLOBAL_INUSE);
    check_bits(t, label, MSR_PERF_GLOBAL_INUSE, ~0ull, kept);
}

static void read_only(struct test *t)
{
    write_msr(t, MSR_PERFEVTSEL(0), EVTSEL_EVENT(0xc0));
    u64 value = read_msr(t, MSR_PERF_GLOBAL_INUSE);
    if (read_only_tested(t->caps))
        try_write(t, "zero-accepted", 0, value);
    try_write(t, "same-accepted", value, value);
}

TEST("inuse.read-only", .title = "A write to IA32_PERF_GLOBAL_INUSE faults and changes nothing",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-021", .needs = NEEDS_VERSION(4),
     .scope = EACH_CPU, .run = read_only);
