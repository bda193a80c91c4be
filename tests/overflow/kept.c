/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An overflow bit stays set until software writes it to IA32_PERF_GLOBAL_STATUS_RESET (IA32_PERF_GLOBAL_OVF_CTRL before
 * version 4): writing the counter or its control does not clear it. The manual asks software to clear the bits whenever
 * it writes either, since nothing else does.
 *
 * All counters that count exactly overflow at once and are started once more with their bits set: no enable depends on
 * these bits, so they count on. Then one after the other is written, stopped and cleared.
 */
#include "harness/test.h"

#define WRITTEN 0x5a5a5a5
#define K 10

static void start_again(struct test *t, u64 set)
{
    u64 before[64];
    for_each_counter (t, c)
        before[c->bit] = counter_read(*c);
    run_block(t, set, K);
    for_each_counter (t, c) {
        u64 now = counter_read(*c);
        if (set >> c->bit & 1)
            check_true(t, "not-started", now != before[c->bit], now, "a count that moves", c->msr);
    }
}

static bool one_counter(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = counters(t->caps, list);
    struct counter written = list[t->turn % n];
    pmu_status_clear(caps_counter_bits(t->caps));
    u64 set = provoke_all(t, COUNT_OS);
    settle();
    if (!check_bits(t, "missing", MSR_PERF_GLOBAL_STATUS, set, set))
        return false;
    start_again(t, set);
    counter_write(written, WRITTEN);
    check_bits(t, "cleared-by-value", MSR_PERF_GLOBAL_STATUS, set, set);
    counter_setup(written, ARCH_EVENT_BRANCHES, COUNT_OS, WRITTEN);
    counter_clear(written);
    check_bits(t, "cleared-by-control", MSR_PERF_GLOBAL_STATUS, set, set);
    pmu_status_clear(set);
    return more_samples_of(t, n);
}

TEST("overflow.kept", .title = "An overflow bit stays set while its counter is written and programmed",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "A-107",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .repeat = one_counter);
