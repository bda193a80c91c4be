/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bit 48 of IA32_PERF_GLOBAL_STATUS says that PERF_METRICS, or the counter that it divides, has overflowed. Like every
 * other bit it is set by IA32_PERF_GLOBAL_STATUS_SET and cleared by IA32_PERF_GLOBAL_STATUS_RESET, and both leave the
 * other bits alone. An overflow of fixed counter 3 sets that counter's own bit, too, with PERF_METRICS enabled; whether
 * it also sets bit 48 is measured.
 */
#include "harness/chapter/topdown.h"

#define K 40
#define SLOTS_LEFT 100

static void by_software(struct test *t, u64 others)
{
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, others | STATUS_METRICS);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, STATUS_METRICS);
    check_bits(t, "not-alone-set", MSR_PERF_GLOBAL_STATUS, others | STATUS_METRICS, STATUS_METRICS);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, others);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_METRICS);
    check_bits(t, "not-alone-cleared", MSR_PERF_GLOBAL_STATUS, others | STATUS_METRICS, others);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, others);
}

static bool status(struct test *t)
{
    struct counter slots = slots_counter(t);
    if (t->caps->perf_capabilities & PERF_CAP_METRICS) /* otherwise nothing promises that bit 48 can be set */
        by_software(t, caps_counter_bits(t->caps));
    metrics_setup(t, COUNT_OS, counter_preset(slots, SLOTS_LEFT), 0);
    run_block(t, SLOTS_ON | GLOBAL_METRICS, K);
    check_bit(t, "no-overflow", MSR_PERF_GLOBAL_STATUS, BIT(slots.bit), true);
    measure(t, "overflow-sets-48", "0-or-1", (read_msr(t, MSR_PERF_GLOBAL_STATUS) & STATUS_METRICS) != 0);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, SLOTS_ON | STATUS_METRICS);
    check_bits(t, "stays", MSR_PERF_GLOBAL_STATUS, SLOTS_ON | STATUS_METRICS, 0);
    return more_samples(t);
}

TEST("topdown.status", .title = "STATUS bit 48 is set and cleared alone", .spec = "SDM 3B, Performance Metrics",
     .covers = "B-072", .needs = {.version = 4, .fixed = true, .metrics = true}, .scope = EACH_CPU, .repeat = status,
     .measures = true);
