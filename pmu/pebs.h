/* Where debug store and event-based sampling can be used at all. Pure. SDM 3B, "Debug Store (DS) Mechanism". */
#pragma once

#include "pmu/caps.h"

/* IA32_DS_AREA and IA32_PEBS_ENABLE exist, may be written, and are not broken by the CPU's microcode. */
bool ds_usable(const struct pmu_caps *caps);
/* The bits of IA32_PEBS_ENABLE that let a counter sample: PMCn at bit n, fixed counter i at bit 32 + i. */
u64 pebs_counter_bits(const struct pmu_caps *caps);
