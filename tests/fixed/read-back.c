/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A stopped fixed counter holds any value of its width and reads it back whole.
 */
#include "harness/test.h"

static void read_back(struct test *t)
{
    for_each_fixed_counter (t, i)
        check_reads_back(t, "value", MSR_FIXED_CTR(i), MSR_FIXED_CTR(i), t->caps->fixed_width);
}

TEST("fixed.read-back", .title = "Fixed counters read back what was written",
     .spec = "SDM 3B, Fixed-function Performance Counters", .covers = "B-054", .needs = {.version = 2, .fixed = true},
     .scope = EACH_CPU, .run = read_back);
