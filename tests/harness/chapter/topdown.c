/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/chapter/topdown.h"

struct counter slots_counter(const struct test *t)
{
    return fixed_counter(t->caps, FIXED_TOPDOWN_SLOTS);
}

static bool near(u64 a, u64 b)
{
    return a <= b + 1 && b <= a + 1;
}

bool metrics_near(u64 got, u64 want)
{
    for (unsigned shift = 0; shift < 64; shift += 8)
        if (!near(got >> shift & METRICS_WHOLE, want >> shift & METRICS_WHOLE))
            return false;
    return true;
}

bool check_metrics(struct test *t, const char *label, u64 got, u64 want)
{
    return check_equal(t, label, metrics_near(got, want) ? want : got, want, MSR_PERF_METRICS);
}

void metrics_setup(struct test *t, unsigned flags, u64 slots, u64 metrics)
{
    counter_setup(slots_counter(t), 0, flags, slots);
    write_msr(t, MSR_PERF_METRICS, metrics);
}
