/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fields of PERF_METRICS are bytes, each a fraction of FFH, which stands for all slots. Four say what the slots
 * were used for: retired, lost to bad speculation, lost in the front end, lost in the back end. On CPUs with a second
 * level four more are a part of each: heavy operations, mispredicted branches, fetch latency, memory. The fraction of
 * retired slots is not 0, and a part is never more than its whole.
 *
 * The sum of the first level is measured: fields are rounded, and a sleep in C0.2 spoils them on some CPUs (RPL52).
 * Parts are compared with their wholes only if the sum is about FFH, since only then the wholes can be trusted.
 */
#include "harness/chapter/topdown.h"

#define K 100
#define ROUNDING 4 /* part and whole are rounded, and perhaps not at the same moment */

static const struct {
    const char *whole, *label;
} fields[] = {
    {"retiring", "heavy-operations-over"},
    {"bad-speculation", "branch-mispredicts-over"},
    {"frontend-bound", "fetch-latency-over"},
    {"backend-bound", "memory-bound-over"},
};
#define WHOLES ARRAY_SIZE(fields)

static u64 field(u64 metrics, unsigned n)
{
    return metrics >> 8 * n & 0xff;
}

static void check_parts(struct test *t, u64 metrics)
{
    for (unsigned i = 0; i < WHOLES; i++) {
        u64 whole = field(metrics, i);
        check_range(t, fields[i].label, field(metrics, WHOLES + i), 0, whole + ROUNDING, MSR_PERF_METRICS);
    }
}

static bool levels(struct test *t)
{
    u64 sum = 0;
    metrics_setup(t, COUNT_OS, 0, 0);
    run_block(t, SLOTS_ON | GLOBAL_METRICS, K);
    u64 metrics = read_msr(t, MSR_PERF_METRICS);
    check_true(t, "nothing-retires", field(metrics, 0), metrics, "retired slots", MSR_PERF_METRICS);
    for (unsigned i = 0; i < WHOLES; i++) {
        measure(t, fields[i].whole, "of-255", field(metrics, i));
        sum += field(metrics, i);
    }
    measure(t, "level-1-sum", "of-255", sum);
    bool believed = sum + ROUNDING >= METRICS_WHOLE && sum <= METRICS_WHOLE + ROUNDING;
    if (believed && class_metrics_fields(cpu_class(t->caps)) > WHOLES)
        check_parts(t, metrics);
    return more_samples(t);
}

TEST("topdown.levels", .title = "A part in PERF_METRICS is not more than its whole",
     .spec = "SDM 3B, Performance Metrics", .covers = "A-081,B-072",
     .needs = {.version = 2, .fixed = true, .metrics = true}, .scope = EACH_CPU, .repeat = levels, .measures = true);
