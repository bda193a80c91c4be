/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The DS buffer management area that IA32_DS_AREA points to: where its fields lie. Pure, so that both layouts can be
 * tested on the build host. SDM 3B, "BTS and DS Save Area": 64-bit fields where CPUID.1:ECX.DTES64 is set, and in
 * IA-32e mode always; else 32-bit ones.
 */
#pragma once

#include "boot/bits.h"

enum ds_field {
    DS_BTS_BASE,
    DS_BTS_INDEX,
    DS_BTS_MAXIMUM,
    DS_BTS_THRESHOLD,
    DS_PEBS_BASE,
    DS_PEBS_INDEX,
    DS_PEBS_MAXIMUM,
    DS_PEBS_THRESHOLD,
    DS_FIELDS,
};

#define DS_AREA_NOWHERE BIT(63) /* not canonical in any paging mode: IA32_DS_AREA refuses it */

/* The size of either layout, rounded up, with the reset values of all counters that any record format has. */
#define DS_AREA_BYTES 512

struct ds_layout {
    u8 word;        /* bytes of an address: 4 or 8 */
    u8 gp_slots;    /* GP counters that have a place for their reset value */
    u8 fixed_slots; /* fixed counters that have a place for their reset value */
    u16 gp_reset;   /* offset of PMC0's reset value; each takes 8 bytes */
    u16 fixed_reset;
};

/*
 * `wide`: 64-bit fields. `format` is IA32_PERF_CAPABILITIES[11:8]; from format 5 on the fixed counters' reset values
 * come after space for 32 general-purpose ones.
 */
struct ds_layout ds_layout(bool wide, unsigned format);
u64 ds_get(const struct ds_layout *layout, const u8 *area, enum ds_field field);
void ds_put(const struct ds_layout *layout, u8 *area, enum ds_field field, u64 value);
/*
 * Base, index, absolute maximum and threshold of PEBS for records of `size` bytes. The maximum is exactly the end of
 * `records` records; CPU generations differ in whether they compare a record's start or its end with it. records 0: as
 * many as `room` bytes hold with DS_GUARD_RECORDS after them. The threshold lies after `threshold` records; 0: beyond
 * the maximum.
 */
struct ds_buffer {
    u64 base, room;
    u32 size, records, threshold;
};
#define DS_GUARD_RECORDS 2 /* after the maximum, so that records written there are noticed */
void ds_put_buffer(const struct ds_layout *layout, u8 *area, const struct ds_buffer *buffer);
/* Has the buffer room for its records and the guard? */
bool ds_buffer_fits(const struct ds_buffer *buffer);
/* Sets the reset value that is loaded into a counter after its record. False if the layout has no place for it. */
bool ds_put_reset(const struct ds_layout *layout, u8 *area, bool fixed, unsigned index, u64 value);
