/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tracing changes no count: a block retires as many instructions with the trace on as with it off. Profilers use both
 * at once.
 *
 * The table is a ring here, so that the trace continues over the same pages, however often the block is run.
 */
#include "harness/chapter/tracing.h"

#define LEAST 64
#define SHORT_K 6
#define LONG_K 56

/* The counters' sums over one run of the block. */
static void count(const struct counter *list, unsigned n, const struct switch_write *all, u64 k, u64 *sums)
{
    for (unsigned i = 0; i < n; i++)
        counter_write(list[i], 0);
    workload("branches")->run(all, k);
    for (unsigned i = 0; i < n; i++)
        sums[i] = counter_read(list[i]);
}

static void check_all(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    u64 shorter[COUNTERS_MAX], longer[COUNTERS_MAX], mask = 0;
    unsigned n = counters_for(t, ARCH_EVENT_INSTRUCTIONS, list);
    setup_counters(list, n, ARCH_EVENT_INSTRUCTIONS, COUNT_OS);
    for (unsigned i = 0; i < n; i++)
        mask |= BIT(list[i].bit);
    struct switch_write all = counters_switch(t->caps, mask);
    count(list, n, &all, SHORT_K, shorter);
    count(list, n, &all, LONG_K, longer);
    for (unsigned i = 0; i < n; i++)
        check_count(t, "counted-otherwise", longer[i] - shorter[i],
                    (LONG_K - SHORT_K) * workload("branches")->instructions_per_k, list[i].msr);
}

/* A few samples are enough in a short run: where the PMU is a model's, each traced instruction is a step of its own. */
static bool counters_beside(struct test *t)
{
    struct tracing tracing = tracing_begin(t, 0, 0);
    trace_put_region(&tracing.area, tracing.regions - 1, 0);
    trace_on(TRACE_CONTROL);
    check_all(t);
    trace_off();
    u64 written = trace_area_written(&tracing.area);
    check_true(t, "not-traced", written >= LEAST, written, "64 bytes or more", MSR_RTIT_OUTPUT_MASK_PTRS);
    tracing_end(t);
    return more_slow_samples(t);
}

TEST("trace.counters", .title = "A trace changes no count", .spec = "SDM 3C, Features and Capabilities",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .prepare = need_trace, .repeat = counters_beside);
