/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writing a bit to IA32_PERF_GLOBAL_STATUS_RESET (IA32_PERF_GLOBAL_OVF_CTRL before version 4) clears that overflow bit
 * and no other; writing 0 clears nothing. All counters of instructions overflow at once, which sets all their bits, and
 * then the bits are cleared one by one.
 *
 * A handler that serves one counter must not lose the overflow of another.
 */
#include "harness/test.h"

static bool one_by_one(struct test *t)
{
    u64 all = caps_counter_bits(t->caps), exact = caps_gp_bits(t->caps) | (all & GLOBAL_FIXED(FIXED_INSTRUCTIONS));
    under_test(t, exact, exact);
    pmu_status_clear(all);
    u64 left = provoke_all(t, COUNT_OS);
    settle();
    u64 set = read_msr(t, MSR_PERF_GLOBAL_STATUS) & left;
    check_equal(t, "missing", set, left, MSR_PERF_GLOBAL_STATUS);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, 0);
    check_bits(t, "cleared-by-zero", MSR_PERF_GLOBAL_STATUS, left, set);
    left = set;
    for_each_counter (t, c) {
        if (!(left & BIT(c->bit)))
            continue;
        left &= ~BIT(c->bit);
        write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, BIT(c->bit));
        check_bit(t, "not-cleared", MSR_PERF_GLOBAL_STATUS, BIT(c->bit), false);
        check_bits(t, "others-cleared", MSR_PERF_GLOBAL_STATUS, left, left);
    }
    return true;
}

TEST("overflow.clear", .title = "An overflow bit is cleared by its own bit of STATUS_RESET, and only by that",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "A-107",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .repeat = one_by_one, .aside = ASIDE_COUNTERS);
