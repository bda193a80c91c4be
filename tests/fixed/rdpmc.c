/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RDPMC of index 40000000H + i reads what RDMSR of IA32_FIXED_CTRi reads, in all its bits, while the counter is
 * stopped.
 */
#include "harness/test.h"

static const u64 patterns[] = {0, ~0ull, 0x123456789abc};

static void rdpmc(struct test *t)
{
    for_each_fixed_counter (t, i)
        for_each_row (patterns, p) {
            write_msr(t, MSR_FIXED_CTR(i), *p & counter_mask(t->caps->fixed_width));
            check_rdpmc(t, RDPMC_FIXED(i), MSR_FIXED_CTR(i));
        }
}

TEST("fixed.rdpmc", .title = "RDPMC and RDMSR read the same fixed counter",
     .spec = "SDM 2B, RDPMC-Read Performance-Monitoring Counters", .needs = {.version = 2, .fixed = true},
     .scope = EACH_CPU, .run = rdpmc);
