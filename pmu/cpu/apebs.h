/*
 * Architectural PEBS: what of it a CPU has. It is enumerated, counter by counter and group by group, and no model
 * number is asked. Its records go to a physical buffer, IA32_PEBS_BASE; each counter's CFG_C turns sampling on and says
 * what its records hold; neither IA32_PEBS_ENABLE nor the debug store has a part in it. SDM 2A, "CPUID", leaf 23H;
 * SDM 3B, "Architectural PEBS". Pure.
 */
#pragma once

#include "pmu/cpu/caps.h"

/*
 * NULL if this CPU can be made to sample so; else why not, in `text`, with the value read. IA32_MISC_ENABLE[12] is not
 * asked: it speaks of the debug store's PEBS, and is set on CPUs that have this one.
 */
#define APEBS_TEXT 96
const char *apebs_unavailable(const struct pmu_caps *caps, char text[APEBS_TEXT]);
/* As apebs_unavailable() without the reason; where it is true the registers exist and may be written. */
bool apebs_usable(const struct pmu_caps *caps);
/* Counters that sample, as bits of IA32_PERF_GLOBAL_CTRL; of these, those with the precise distribution. 0: none. */
u64 apebs_counter_bits(const struct pmu_caps *caps);
u64 apebs_precise_bits(const struct pmu_caps *caps);
/* The bits of CFG_C above the reload value that a sampling counter has: its groups, and the one that turns it on. */
u64 apebs_config_bits(const struct pmu_caps *caps);

/* Bytes of a buffer of this size field; 0: more than this image ever asks for. */
#define APEBS_ORDER_MOST 2
u64 apebs_buffer_bytes(u64 order);
/* Does a value of IA32_PEBS_BASE describe a buffer that lies whole within the `room` bytes from `first` on? */
bool apebs_base_within(u64 base, u64 first, u64 room);
/* Do the offsets of a value of IA32_PEBS_INDEX lie within a buffer of so many bytes, or right behind it? */
bool apebs_index_within(u64 index, u64 bytes);
/* The offsets of IA32_PEBS_INDEX in bytes, and as the register has them; below 128 MiB, multiples of 16. */
u64 apebs_written(u64 index);
u64 apebs_index(u64 written, u64 threshold);
