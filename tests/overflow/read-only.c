/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_GLOBAL_STATUS is read-only: a WRMSR to it causes a general-protection fault; from version 4 on software
 * changes it through STATUS_RESET and STATUS_SET. Only the value just read is written, and on classes of which a dump
 * shows the fault the value 0. A write that faults changes nothing: bits that were set stay set.
 */
#include "harness/test.h"

static void refused(struct test *t, u64 value)
{
    u64 set = pmu_status() & caps_counter_bits(t->caps);
    if (check_fault(t, "accepted", wrmsr_try(MSR_PERF_GLOBAL_STATUS, value), FAULT_GP, MSR_PERF_GLOBAL_STATUS))
        check_bits(t, "cleared-by-refused-write", MSR_PERF_GLOBAL_STATUS, set, set);
}

static void read_only(struct test *t)
{
    u64 set = provoke_all(t, COUNT_OS);
    settle();
    if (read_only_tested(t->caps))
        refused(t, 0);
    refused(t, read_msr(t, MSR_PERF_GLOBAL_STATUS));
    pmu_status_clear(set);
}

TEST("overflow.read-only", .title = "A write to IA32_PERF_GLOBAL_STATUS faults",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .needs = {.version = 4, .event = 2},
     .scope = EACH_CPU, .run = read_only);
