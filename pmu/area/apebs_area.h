/*
 * The memory that architectural PEBS may write to: for each CPU buffers of its own, of contiguous pages that lie at a
 * multiple of their size, each with a page before and behind it that nothing may touch. The hardware goes there by
 * physical addresses, past every page table: IA32_PEBS_BASE is all that keeps it from firmware's memory. So it is only
 * ever 0 or one of these, and records are only ever turned on while it is: the write gate asks apebs_area_owned() for
 * the value that is to be written, and again for what the register reads. Memory is mapped to its own addresses.
 */
#pragma once

#include "pmu/area/ds_area.h"
#include "pmu/cpu/caps.h"

#define APEBS_AREAS 2

/*
 * Area `which` (below APEBS_AREAS) of the calling CPU, with a buffer of 4 KiB << order; it has no management area.
 * Takes memory at the first call; false if there is none left, or that much is never given.
 */
bool apebs_area_get(unsigned which, u64 order, struct ds_area *area);
/* Fills what lies around with a pattern; buffer and page of slack are ds_area_fill_buffer()'s. */
void apebs_area_guard(const struct ds_area *area);
/* Does all that lies around the buffer still hold it, the page of slack included? */
bool apebs_area_kept_in(const struct ds_area *area);

/* Does a value of IA32_PEBS_BASE name a buffer that lies, whole, in one of the calling CPU's own areas? */
bool apebs_area_owned(u64 base);
/* Are IA32_PEBS_BASE, as it reads now, such a buffer and the offsets of IA32_PEBS_INDEX within it? */
bool apebs_ready(void);
/* Of the buffer that IA32_PEBS_BASE names as it reads now, in bytes; 0: it is none of ours. */
u64 apebs_owned_bytes(void);
/* Where the next record goes, as an address; 0: the buffer is none of ours. */
u64 apebs_position(void);
/*
 * Takes sampling away, that of firmware, too: CFG_C of each counter 0, a quiescent period, IA32_PEBS_INDEX and _BASE 0.
 * Counters must stand still. Nothing is written where all of it is 0, or where there is no architectural PEBS.
 */
void apebs_release(const struct pmu_caps *caps);
