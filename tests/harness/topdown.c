#include "harness/topdown.h"
#include "harness/need.h"

void need_metrics(struct test *t)
{
    need_capabilities(t);
    if (!(t->caps->perf_capabilities & PERF_CAP_METRICS))
        skip(t, "IA32_PERF_CAPABILITIES[15]=0 (0x%lx): no PERF_METRICS", t->caps->perf_capabilities);
    if (!(t->caps->fixed_bitmap & BIT(FIXED_TOPDOWN_SLOTS)))
        skip(t, "CPUID.0AH: fixed counter %u, which PERF_METRICS divides, is not there", FIXED_TOPDOWN_SLOTS);
}

struct counter slots_counter(const struct test *t)
{
    return fixed_counter(t->caps, FIXED_TOPDOWN_SLOTS);
}

void metrics_setup(struct test *t, unsigned flags, u64 slots, u64 metrics)
{
    counter_setup(slots_counter(t), 0, flags, slots);
    write_msr(t, MSR_PERF_METRICS, metrics);
}
