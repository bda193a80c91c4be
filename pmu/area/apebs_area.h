/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory that architectural PEBS may write to: each CPU has its own buffers of contiguous pages, aligned to their
 * size, each with a page before and after it that nothing may touch. The hardware writes there by physical addresses,
 * past all page tables, so only IA32_PEBS_BASE keeps it out of firmware's memory. So it only ever holds 0 or one of
 * these buffers, and records are only turned on while it does: the write gate asks apebs_area_owned() about each value
 * to write, and again about the value that the register reads. Memory is identity-mapped.
 */
#pragma once

#include "pmu/area/ds_area.h"
#include "pmu/cpu/caps.h"

#define APEBS_AREAS 2

/*
 * Area `which` (below APEBS_AREAS) of the calling CPU, with a buffer of 4 KiB << order and no management area.
 * Allocates memory at the first call; false if none is left, or if no buffer may be that large.
 */
bool apebs_area_get(unsigned which, u64 order, struct ds_area *area);
/* Fills the memory around with a pattern; ds_area_fill_buffer() fills the buffer and the page of slack. */
void apebs_area_guard(const struct ds_area *area);
/* Does all memory around the buffer, and the page of slack, still hold its pattern? */
bool apebs_area_kept_in(const struct ds_area *area);

/* Does a value for IA32_PEBS_BASE name a buffer that lies completely in one of the calling CPU's own areas? */
bool apebs_area_owned(u64 base);
/* Does IA32_PEBS_BASE now name such a buffer, and are the offsets in IA32_PEBS_INDEX within it? */
bool apebs_ready(void);
/* Bytes of the buffer that IA32_PEBS_BASE names now; 0 if it is not one of ours. */
u64 apebs_owned_bytes(void);
/* The address of the next record; 0 if the buffer is not one of ours. */
u64 apebs_position(void);
