/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_GLOBAL_INUSE depends only on how counters are programmed: not on whether they run (IA32_PERF_GLOBAL_CTRL),
 * what value they hold, or whether they have overflowed.
 */
#include "harness/chapter/sharing.h"

static void unchanged(struct test *t, const char *label, u64 in_use)
{
    check_bits(t, label, MSR_PERF_GLOBAL_INUSE, inuse_named_bits(t), in_use);
}

static void independent(struct test *t)
{
    struct counter c = gp_counter(t->caps, 0);
    u64 all = caps_counter_bits(t->caps);
    unchanged(t, "idle", 0);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, all); /* no event is programmed, so nothing counts */
    u64 in_use = read_msr(t, MSR_PERF_GLOBAL_INUSE);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    check_equal(t, "global-ctrl", in_use & inuse_named_bits(t), 0, MSR_PERF_GLOBAL_INUSE);
    for_each_counter (t, other)
        counter_write(*other, 0x7fffffff);
    unchanged(t, "counter-value", 0);
    provoke_overflow(t, c, COUNT_OS);
    unchanged(t, "overflow", BIT(c.bit));
    pmu_status_clear(BIT(c.bit));
    unchanged(t, "after-overflow", BIT(c.bit));
}

TEST("inuse.independent", .title = "INUSE does not depend on GLOBAL_CTRL, counter values or overflows",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-018",
     .needs = {.version = 4, .event = 2}, .scope = EACH_CPU, .run = independent);
