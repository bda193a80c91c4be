/* What IA32_DS_AREA was last set to, and how it is set to nothing again. */
#pragma once

#include "pmu/cpu/caps.h"

/* PEBS index of the area that the calling CPU's IA32_DS_AREA was last set to, 0 if it was set to none. */
u64 ds_area_index(void);
/*
 * Takes PEBS away, that of firmware or of the kernel before, too: IA32_PEBS_ENABLE and MSR_PEBS_DATA_CFG 0, a quiescent
 * period, IA32_DS_AREA 0. Counters must stand still. Nothing is written where all of it is 0.
 */
void ds_area_release(const struct pmu_caps *caps);
