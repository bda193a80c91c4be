/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tracing changes no count: a block retires as many instructions with the trace on as with it off. Profilers use both
 * at once.
 *
 * The table is a ring here, so that the trace continues over the same pages, however often the block is run.
 */
#include "harness/chapter/tracing.h"
#include "harness/counting.h"

#define LEAST 64

/* Fixed counter 0 alone: beside others it is started in an order that costs it some counts (HSD143). */
static void check_all(struct test *t)
{
    struct counter list[COUNTERS_MAX], gp[COUNTERS_MAX];
    const struct workload *w = workload("branches");
    unsigned all = counters_for(t, ARCH_EVENT_INSTRUCTIONS, list), n = gp_counters(t, gp);
    setup_counters(list, all, ARCH_EVENT_INSTRUCTIONS, COUNT_OS);
    check_counted(t, "counted-otherwise", w, gp, n, w->instructions_per_k);
    for (unsigned i = 0; i < all; i++)
        if (list[i].fixed)
            check_counted(t, "counted-otherwise", w, &list[i], 1, w->instructions_per_k);
}

static void counters_beside(struct test *t)
{
    struct tracing tracing = tracing_begin(t, 0, 0);
    trace_put_region(&tracing.area, tracing.regions - 1, 0);
    trace_on(TRACE_CONTROL);
    check_all(t);
    trace_off();
    u64 written = trace_area_written(&tracing.area);
    check_true(t, "not-traced", written >= LEAST, written, "64 bytes or more", MSR_RTIT_OUTPUT_MASK_PTRS);
    tracing_end(t);
}

TEST("trace.counters", .title = "A trace changes no count", .spec = "SDM 3C, Features and Capabilities",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .prepare = need_trace, .run = counters_beside);
