#include "pmu/sampling/ds_release.h"
#include "kernel/core/time.h"
#include "kernel/register/msr.h"
#include "pmu/area/ds_area.h"
#include "pmu/cpu/pebs.h"
#include "pmu/gate/gate.h"
#include "pmu/registers.h"

#define RELEASE_US 100 /* a record on its way lands where it was sent to; the memory stays ours in any case */

u64 ds_area_index(void)
{
    u64 address = own_written(gate_own(), MSR_DS_AREA);
    struct ds_layout layout = ds_layout(true, 0);
    return ds_area_owned(address) ? ds_get(&layout, (const u8 *)address, DS_PEBS_INDEX) : 0;
}

/* Is it set, by a test, which is known even where it reads as 0, or by who was here before? */
static bool is_set(u32 msr)
{
    u64 value;
    return own_written(gate_own(), msr) || (rdmsr_try(msr, &value) == NO_FAULT && value);
}

/* What firmware, a kernel before this one or a test that ended early left goes, too: each test begins without it. */
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
