/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Architectural PEBS: which parts of it a CPU has. All is enumerated, counter by counter and group by group; model
 * numbers do not matter. Records go to a physical buffer, IA32_PEBS_BASE; each counter's CFG_C turns sampling on and
 * selects the contents of its records; IA32_PEBS_ENABLE and the debug store are not involved. SDM 2A, "CPUID", leaf
 * 23H; SDM 3B, "Architectural PEBS". Pure.
 */
#pragma once

#include "pmu/cpu/caps.h"

/*
 * NULL if this CPU has architectural PEBS that can be used; else why not, in `text`, with the value read.
 * IA32_MISC_ENABLE[12] does not matter: it is about the debug store's PEBS, and set where there is architectural PEBS.
 */
#define APEBS_TEXT 96
const char *apebs_unavailable(const struct pmu_caps *caps, char text[APEBS_TEXT]);
/* Like apebs_unavailable() without the reason. If true, the registers exist and may be written. */
bool apebs_usable(const struct pmu_caps *caps);
/* Counters that sample, as bits of IA32_PERF_GLOBAL_CTRL; and those with the precise distribution. 0: none. */
u64 apebs_counter_bits(const struct pmu_caps *caps);
u64 apebs_precise_bits(const struct pmu_caps *caps);
/* A sampling counter's bits of CFG_C above the reload value: its groups, and the bit that turns sampling on. */
u64 apebs_config_bits(const struct pmu_caps *caps);

/* Bytes of a buffer with this size field; 0: larger than this image ever uses. */
#define APEBS_ORDER_MOST 2
u64 apebs_buffer_bytes(u64 order);
/* Does a value for IA32_PEBS_BASE describe a buffer that lies completely in the `room` bytes from `first` on? */
bool apebs_base_within(u64 base, u64 first, u64 room);
/* Are the offsets in a value of IA32_PEBS_INDEX within a buffer of so many bytes, or exactly at its end? */
bool apebs_index_within(u64 index, u64 bytes);
/* IA32_PEBS_INDEX to its write offset, and offsets to its value; in bytes below 128 MiB, multiples of 16. */
u64 apebs_written(u64 index);
u64 apebs_index(u64 written, u64 threshold);
