/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Does a counter that overflows without its interrupt bit freeze the counters? One passage says that only a counter
 * "configured to generate PMI" does, another that any overflow does. So it is measured, as the number of CTR_FRZ bits
 * seen.
 *
 * Judged is that the overflow shows in IA32_PERF_GLOBAL_STATUS.
 */
#include "harness/test.h"

static bool overflow_silently(struct test *t)
{
    struct counter list[COUNTERS_MAX], c = next_counter(t);
    under_test(t, BIT(c.bit), BIT(c.bit));
    u64 found = freeze_begin(DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    pmu_status_clear(caps_counter_bits(t->caps));
    provoke_overflow(t, c, COUNT_OS);
    settle();
    u64 status = read_msr(t, MSR_PERF_GLOBAL_STATUS);
    measure(t, "ctr-frz", "bits", status / STATUS_CTR_FRZ & 1);
    check_true(t, "no-status-bit", status & BIT(c.bit), status, "this counter's bit set in IA32_PERF_GLOBAL_STATUS",
               c.msr);
    pmu_status_clear(BIT(c.bit));
    counter_clear(c);
    freeze_end(found);
    return more_samples_of(t, counters(t->caps, list));
}

TEST("freeze.without-int", .title = "Freezing by an overflow without its interrupt bit",
     .spec = "SDM 3B, Freezing LBR and Performance Counters on PMI", .covers = "B-034",
     .needs = {.version = 4, .event = 2}, .scope = EACH_CPU, .prepare = need_freeze, .repeat = overflow_silently,
     .measures = true, .aside = ASIDE_COUNTERS);
