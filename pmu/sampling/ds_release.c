#include "pmu/sampling/ds_release.h"
#include "kernel/core/time.h"
#include "kernel/cpu/msr.h"
#include "pmu/gate/gate.h"
#include "pmu/registers.h"
#include "pmu/sampling/ds_area.h"

#define RELEASE_US 100 /* a record on its way lands where it was sent to; the memory stays ours in any case */

u64 ds_area_index(void)
{
    u64 address = own_written(gate_own(), MSR_DS_AREA);
    struct ds_layout layout = ds_layout(true, 0);
    return ds_area_owned(address) ? ds_get(&layout, (const u8 *)address, DS_PEBS_INDEX) : 0;
}

/* What firmware or a test that ended early left on goes, too. */
void ds_area_release(void)
{
    u64 sampling;
    if (rdmsr_try(MSR_PEBS_ENABLE, &sampling) == NO_FAULT && sampling)
        wrmsr_try(MSR_PEBS_ENABLE, 0);
    if (own_written(gate_own(), MSR_PEBS_DATA_CFG))
        wrmsr_try(MSR_PEBS_DATA_CFG, 0);
    if (!own_written(gate_own(), MSR_DS_AREA))
        return;
    time_delay_us(RELEASE_US);
    wrmsr_try(MSR_DS_AREA, 0);
}
