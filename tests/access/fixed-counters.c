/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A fixed counter holds as many bits as CPUID leaf 0AH states, each independently. Bits above the width fault on most
 * CPUs and are ignored by Core 2: the log shows which.
 */
#include "harness/test.h"

static void judge(struct test *t, u32 msr, const struct bit_walk *walk)
{
    check_kept(t, "bit-lost", msr, walk, counter_mask(t->caps->fixed_width));
}

static void fixed_counters(struct test *t)
{
    walk_family(t, MSR_FIXED_CTR(0), t->caps->fixed_bitmap, 0, judge);
}

TEST("access.fixed-counters", .title = "Every bit of a fixed counter's width holds what is written",
     .spec = "SDM 3B, Fixed-function Performance Counters", .covers = "A-045,B-013",
     .needs = {.version = 2, .fixed = true}, .scope = EACH_CPU, .run = fixed_counters, .measures = true);
