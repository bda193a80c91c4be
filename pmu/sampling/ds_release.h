/* SPDX-License-Identifier: BSD-2-Clause */
/* The current DS area of the calling CPU, and its removal. */
#pragma once

#include "pmu/cpu/caps.h"

/* PEBS index of the area that was last written to the calling CPU's IA32_DS_AREA; 0: none of ours. */
u64 ds_area_index(void);
/*
 * Ends PEBS, including that of firmware or an earlier kernel: clears IA32_PEBS_ENABLE and MSR_PEBS_DATA_CFG, waits, and
 * clears IA32_DS_AREA. Counters must be stopped. Writes nothing to registers that are 0.
 */
void ds_area_release(const struct pmu_caps *caps);
