/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_GLOBAL_STATUS_SET sets bits of IA32_PERF_GLOBAL_STATUS. Which bits it accepts differs between steppings and
 * microcodes (SKL51, SKL164), so the outcome for each bit is only logged: a bit counts as kept if
 * IA32_PERF_GLOBAL_STATUS then shows it. Bits that were set can be cleared again.
 */
#include "harness/test.h"

static void judge(struct test *t, u32 msr, const struct bit_walk *walk)
{
    u64 overflows = caps_counter_bits(t->caps);
    check_equal(about(t, ASPECT_STATUS_BIT), "not-restored", walk->after & overflows, walk->before & overflows, msr);
}

static void status_set(struct test *t)
{
    walk_family(t, MSR_PERF_GLOBAL_STATUS_SET, 1, MSR_PERF_GLOBAL_STATUS, judge);
}

TEST("access.status-set", .title = "What IA32_PERF_GLOBAL_STATUS_SET sets can be cleared again",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-011", .needs = NEEDS_VERSION(4),
     .scope = EACH_CPU, .run = status_set, .measures = true,
     .alone = "the bits of STATUS are its subject, and it leaves them clear");
