/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/cpu/counters.h"

struct counter gp_counter(const struct pmu_caps *caps, unsigned index)
{
    return (struct counter){
        .fixed = false,
        .index = (u8)index,
        .width = caps->gp_width,
        .bit = (u8)index,
        .msr = caps->full_width ? MSR_A_PMC(index) : MSR_PMC(index),
        .rdpmc = RDPMC_GP(index),
    };
}

struct counter fixed_counter(const struct pmu_caps *caps, unsigned index)
{
    return (struct counter){
        .fixed = true,
        .index = (u8)index,
        .width = caps->fixed_width,
        .bit = (u8)(32 + index),
        .msr = MSR_FIXED_CTR(index),
        .rdpmc = RDPMC_FIXED(index),
    };
}

unsigned counters(const struct pmu_caps *caps, struct counter *list)
{
    unsigned count = 0;
    for_each_gp (caps, n)
        list[count++] = gp_counter(caps, n);
    for_each_fixed (caps, i)
        list[count++] = fixed_counter(caps, i);
    return count;
}

/*
 * What each fixed counter counts, as the architectural event of the same meaning. Fixed counter 2 has no such event: it
 * counts at the TSC's rate, while the rate of event 2 differs between microarchitectures.
 */
static const u16 fixed_events[FIXED_COUNTERS_MAX] = {
    [FIXED_INSTRUCTIONS] = ARCH_EVENT_INSTRUCTIONS,
    [FIXED_CORE_CYCLES] = ARCH_EVENT_CORE_CYCLES,
    [FIXED_TOPDOWN_SLOTS] = ARCH_EVENT_TOPDOWN_SLOTS,
    [4] = ARCH_EVENT_TOPDOWN_BAD_SPEC,
    [5] = ARCH_EVENT_TOPDOWN_FRONTEND,
    [6] = ARCH_EVENT_TOPDOWN_RETIRING,
};

bool counter_can_count(struct counter counter, u16 event)
{
    if (!counter.fixed)
        return true;
    return event && counter.index < FIXED_COUNTERS_MAX && fixed_events[counter.index] == event;
}

u64 counter_preset(struct counter counter, u64 n)
{
    return (0 - n) & counter_mask(counter.width);
}

bool legacy_write_holds(unsigned width, u64 value)
{
    u64 extended = (u64)(s64)(s32)(u32)value;
    return (extended & counter_mask(width)) == value;
}
