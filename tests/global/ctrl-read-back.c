/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_GLOBAL_CTRL holds the bits of all enumerated counters: each alone, all together, and none. No counter is
 * programmed, so nothing counts.
 */
#include "harness/test.h"

static void read_back(struct test *t)
{
    u64 all = caps_counter_bits(t->caps);
    for_each_counter (t, c) {
        write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c->bit));
        check_bit(t, "not-kept", MSR_PERF_GLOBAL_CTRL, BIT(c->bit), true);
        check_bits(t, "others-set", MSR_PERF_GLOBAL_CTRL, all & ~BIT(c->bit), 0);
    }
    write_msr(t, MSR_PERF_GLOBAL_CTRL, all);
    check_bits(t, "not-kept", MSR_PERF_GLOBAL_CTRL, all, all);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    check_bits(t, "not-cleared", MSR_PERF_GLOBAL_CTRL, all, 0);
}

TEST("global.ctrl-read-back", .title = "GLOBAL_CTRL keeps the bits of all enumerated counters",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .needs = NEEDS_VERSION(2), .scope = EACH_CPU,
     .run = read_back);
