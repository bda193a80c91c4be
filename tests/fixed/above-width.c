/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A write of IA32_FIXED_CTRi that sets a bit above the counter's width causes a general-protection fault and does not
 * change the counter. The first Core 2 ignores the bit; whether all others fault, dumps show of some classes. On the
 * other ones that may be tried it is told.
 */
#include "harness/test.h"

static void above_width(struct test *t)
{
    for_each_fixed_counter (t, i)
        check_refuses_above(t, MSR_FIXED_CTR(i), t->caps->fixed_width, 0x12345 + i);
}

TEST("fixed.above-width", .title = "A write of a fixed counter above its width faults and changes nothing",
     .spec = "SDM 3B, Fixed-function Performance Counters", .needs = {.version = 2, .fixed = true}, .scope = EACH_CPU,
     .run = above_width);
