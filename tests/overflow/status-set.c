/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From version 4 on, writing a bit to IA32_PERF_GLOBAL_STATUS_SET sets that bit of IA32_PERF_GLOBAL_STATUS as an
 * overflow would, and IA32_PERF_GLOBAL_STATUS_RESET clears it again. Hypervisors restore a guest's state that way.
 */
#include "harness/test.h"

static void status_set(struct test *t)
{
    u64 all = caps_counter_bits(t->caps);
    for_each_counter (t, c) {
        write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, all);
        write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, BIT(c->bit));
        check_bits(t, "not-that-bit", MSR_PERF_GLOBAL_STATUS, all, BIT(c->bit));
        write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, BIT(c->bit));
        check_bit(t, "not-cleared", MSR_PERF_GLOBAL_STATUS, BIT(c->bit), false);
    }
}

TEST("overflow.status-set", .title = "STATUS_SET sets an overflow bit, and STATUS_RESET clears it",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .needs = NEEDS_VERSION(4), .scope = EACH_CPU,
     .run = status_set);
