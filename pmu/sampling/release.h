/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of all sampling on the calling CPU: its DS area, or its buffer of architectural PEBS. */
#pragma once

#include "pmu/cpu/caps.h"

/* PEBS index of the area that was last written to the calling CPU's IA32_DS_AREA; 0: none of ours. */
u64 ds_area_index(void);
/*
 * Ends PEBS, including that of firmware or an earlier kernel: clears IA32_PEBS_ENABLE and MSR_PEBS_DATA_CFG, waits, and
 * clears IA32_DS_AREA. Counters must be stopped. Writes nothing to registers that are 0.
 */
void ds_area_release(const struct pmu_caps *caps);
/*
 * Ends all sampling, including firmware's: clears each counter's CFG_C, waits for late records, and clears
 * IA32_PEBS_INDEX and _BASE. Counters must be stopped. Registers that are 0, or do not exist, are not written.
 */
void apebs_release(const struct pmu_caps *caps);
