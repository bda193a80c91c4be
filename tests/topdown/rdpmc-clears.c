/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * If IA32_PERF_CAPABILITIES[19] is set, bit 14 of IA32_FIXED_CTR_CTRL makes RDPMC of PERF_METRICS clear it and fixed
 * counter 3 after reading, so software that reads often never gets fractions of a long past. With the bit clear reading
 * changes neither; with it set the value read is the one before clearing.
 */
#include "harness/chapter/topdown.h"

#define SLOTS 0x123456

static bool read_once(struct test *t)
{
    u64 value = 0;
    return check_fault(t, "value-lost", rdpmc_try(RDPMC_METRICS, &value), NO_FAULT, MSR_PERF_METRICS) &&
           check_metrics(t, "value-lost", value, METRICS_WRITTEN);
}

static void rdpmc_clears(struct test *t)
{
    struct counter slots = slots_counter(t);
    metrics_setup(t, 0, SLOTS, METRICS_WRITTEN);
    read_once(t);
    check_metrics(t, "metrics-cleared-unasked", read_msr(t, MSR_PERF_METRICS), METRICS_WRITTEN);
    check_equal(t, "slots-cleared-unasked", counter_read(slots), SLOTS, slots.msr);
    metrics_setup(t, 0, SLOTS, METRICS_WRITTEN);
    write_msr(t, MSR_FIXED_CTR_CTRL, FIXED_METRICS_CLEAR);
    read_once(t);
    check_equal(t, "metrics-stay", read_msr(t, MSR_PERF_METRICS), 0, MSR_PERF_METRICS);
    check_equal(t, "slots-stay", counter_read(slots), 0, slots.msr);
}

static void prepare(struct test *t)
{
    if (!(t->caps->perf_capabilities & PERF_CAP_RDPMC_METRICS_CLEAR))
        skip(t, "IA32_PERF_CAPABILITIES[19]=0 (0x%lx): RDPMC of PERF_METRICS only reads", t->caps->perf_capabilities);
}

TEST("topdown.rdpmc-clears", .title = "RDPMC clears PERF_METRICS and its counter if enabled",
     .spec = "SDM 2B, RDPMC-Read Performance-Monitoring Counters", .covers = "B-072",
     .needs = {.version = 2, .fixed = true, .metrics = true}, .scope = EACH_CPU, .prepare = prepare,
     .run = rdpmc_clears);
