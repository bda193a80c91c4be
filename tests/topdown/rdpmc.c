/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RDPMC of index 20000000H reads PERF_METRICS if it is enumerated: the same value as RDMSR, in all its bits, while
 * nothing counts, and at CPL 3 if CR4.PCE allows it. A profiler reads it that way in the program that it measures.
 */
#include "harness/chapter/topdown.h"

#define K 40

static const u32 values[] = {METRICS_WRITTEN, 0x0fc31e0f};

/* Nothing in here ends the test early, so CR4.PCE cannot stay set. */
static void at_cpl_3(struct test *t, u64 want)
{
    u64 value = 0;
    bool before = set_pce(false);
    check_fault(t, "allowed", rdpmc_value_user(RDPMC_METRICS, &value), FAULT_GP, MSR_PERF_METRICS);
    set_pce(true);
    if (check_fault(t, "not-allowed", rdpmc_value_user(RDPMC_METRICS, &value), NO_FAULT, MSR_PERF_METRICS))
        check_equal(t, "cpl-3-differs", value & MASK(62, 0), want & MASK(62, 0), MSR_PERF_METRICS);
    set_pce(before);
}

static void rdpmc(struct test *t)
{
    for_each_row (values, value) {
        metrics_setup(t, 0, 0, *value);
        check_rdpmc(t, RDPMC_METRICS, MSR_PERF_METRICS);
        at_cpl_3(t, read_msr(t, MSR_PERF_METRICS));
    }
    metrics_setup(t, COUNT_OS, 0, 0);
    run_block(t, SLOTS_ON | GLOBAL_METRICS, K);
    check_rdpmc(t, RDPMC_METRICS, MSR_PERF_METRICS);
}

TEST("topdown.rdpmc", .title = "RDPMC and RDMSR read the same PERF_METRICS",
     .spec = "SDM 2B, RDPMC-Read Performance-Monitoring Counters", .covers = "A-066",
     .needs = {.version = 2, .fixed = true, .metrics = true}, .scope = EACH_CPU, .run = rdpmc);
