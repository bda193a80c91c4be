/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory that debug store may write to: for each CPU two areas of its own, each a management area and a buffer of
 * pages that are present, writable, accessed and dirty before IA32_DS_AREA ever names them, with a mapped page of slack
 * after them, so that no store by the hardware can fault (SKL124). SDM 3B, "Setting Up the DS Save Area". IA32_DS_AREA
 * only ever holds 0 or one of these: the write gate asks ds_area_owned().
 */
#pragma once

#include "pmu/area/ds.h"
#include "pmu/cpu/caps.h"

#define DS_AREAS 2

struct ds_area {
    struct ds_layout layout;
    u8 *management; /* the value for IA32_DS_AREA; at first the start of a page of its own */
    u8 *buffer;
    u64 room; /* bytes for the records and the guard after them; the page of slack follows */
};

/*
 * Area `which` (below DS_AREAS) of the calling CPU, laid out for its record format. Allocates memory at the first call;
 * false if none is left.
 */
bool ds_area_get(const struct pmu_caps *caps, unsigned which, struct ds_area *area);
/* Fills buffer, guard and slack with a pattern, and the management area with zeros. */
void ds_area_fill(const struct ds_area *area);
/* The same for an area without a management area. */
void ds_area_fill_buffer(const struct ds_area *area);
/* Offset in the buffer of the first byte from `from` on without the pattern; ds_area_end() if all hold it. */
u64 ds_area_touched(const struct ds_area *area, u64 from);
u64 ds_area_end(const struct ds_area *area);

/* Does a whole management area at `address` lie in one of the calling CPU's own pages for them? */
bool ds_area_owned(u64 address);
