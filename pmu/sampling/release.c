/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of all sampling on the calling CPU: its DS area, or its buffer of architectural PEBS. */
#include "kernel/core/time.h"
#include "kernel/register/msr.h"
#include "pmu/area/ds.h"
#include "pmu/cpu/counters.h"
#include "pmu/cpu/pebs.h"
#include "pmu/gate/gate.h"
#include "pmu/gate/write.h"
#include "pmu/registers.h"
#include "pmu/sampling/sampled.h"

#define RELEASE_US 100 /* a late record lands in the old buffer, which stays ours in any case */

u64 ds_area_index(void)
{
    u64 address = own_written(gate_own(), MSR_DS_AREA);
    struct ds_layout layout = ds_layout(true, 0);
    return ds_area_owned(address) ? ds_get(&layout, (const u8 *)address, DS_PEBS_INDEX) : 0;
}

/* Is it set? By a test, which is recorded even if the register reads 0, or by earlier software. */
static bool is_set(u32 msr)
{
    u64 value;
    return own_written(gate_own(), msr) || (rdmsr_try(msr, &value) == NO_FAULT && value);
}

/* Also removes what firmware, an earlier kernel or an aborted test left: each test starts without it. */
void ds_area_release(const struct pmu_caps *caps)
{
    u64 sampling;
    bool chooses = pebs_adaptive(caps) || own_written(gate_own(), MSR_PEBS_DATA_CFG);
    if (rdmsr_try(MSR_PEBS_ENABLE, &sampling) == NO_FAULT && sampling)
        wrmsr_try(MSR_PEBS_ENABLE, 0);
    if (chooses && is_set(MSR_PEBS_DATA_CFG))
        wrmsr_try(MSR_PEBS_DATA_CFG, 0);
    if (!is_set(MSR_DS_AREA))
        return;
    time_delay_us(RELEASE_US);
    wrmsr_try(MSR_DS_AREA, 0);
}

/* Clears the register. Returns whether it was other than 0. */
static bool clear(u32 msr)
{
    u64 value;
    bool held = rdmsr_try(msr, &value) == NO_FAULT && value;
    if (held)
        wrmsr_try(msr, 0);
    return held;
}

void apebs_release(const struct pmu_caps *caps)
{
    bool sampled = false;
    for (u64 left = apebs_counter_bits(caps); left; left &= left - 1)
        sampled |= clear(alias_cfg_c((unsigned)__builtin_ctzll(left)));

    if (sampled)
        time_delay_us(RELEASE_US);
    if (apebs_usable(caps)) {
        clear(MSR_PEBS_INDEX);
        clear(MSR_PEBS_BASE);
    }
}
