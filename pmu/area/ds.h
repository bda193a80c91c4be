/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The DS buffer management area that IA32_DS_AREA points to: where its fields lie. Pure, so that both layouts can be
 * tested on the build host. SDM 3B, "BTS and DS Save Area": 64-bit fields where CPUID.1:ECX.DTES64 is set, and in
 * IA-32e mode always; else 32-bit ones.
 */
#pragma once

#include "boot/bits.h"
#include "pmu/cpu/caps.h"
#include "pmu/cpu/pebs.h"

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

/*
 * The memory that debug store may write to: for each CPU two areas of its own, each a management area and a buffer of
 * pages that are present, writable, accessed and dirty before IA32_DS_AREA ever names them, with a mapped page of slack
 * after them, so that no store by the hardware can fault (SKL124). SDM 3B, "Setting Up the DS Save Area". IA32_DS_AREA
 * only ever holds 0 or one of these: the write gate asks ds_area_owned().
 */

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

/*
 * PEBS records of every format, decoded from bytes. Pure: whatever the bytes say, nothing outside the given room is
 * read. SDM 3B, "PEBS Record Format" of each microarchitecture, "Adaptive PEBS".
 */

enum pebs_register {
    PEBS_RAX,
    PEBS_RBX,
    PEBS_RCX,
    PEBS_RDX,
    PEBS_RSI,
    PEBS_RDI,
    PEBS_RBP,
    PEBS_RSP,
    PEBS_R8,
    PEBS_R9,
    PEBS_R10,
    PEBS_R11,
    PEBS_R12,
    PEBS_R13,
    PEBS_R14,
    PEBS_R15,
    PEBS_REGISTERS,
};
#define PEBS_XMM_REGISTERS 16
#define PEBS_XMM_BYTES 16
#define PEBS_LBR_BYTES 24      /* FROM, TO, INFO */
#define PEBS_FRAGMENT_BYTES 16 /* the header of each piece of an architectural record */

/* The contents of a record. */
enum pebs_has {
    PEBS_HAS_REGISTERS = 1, /* reg[], flags */
    PEBS_HAS_STATUS = 2,    /* status: IA32_PERF_GLOBAL_STATUS at the time of the record */
    PEBS_HAS_COUNTERS = 4,  /* applicable: the counters that the record belongs to */
    PEBS_HAS_MEMORY = 8,    /* address, source, latency */
    PEBS_HAS_EVENTING = 16, /* eventing_ip: the address of the instruction itself */
    PEBS_HAS_TSX = 32,
    PEBS_HAS_TSC = 64,
    PEBS_HAS_XMM = 128,
    PEBS_HAS_LBR = 256,
    PEBS_HAS_VALUES = 512, /* values of other counters, format 6 and architectural */
    PEBS_HAS_YMMH = 1024,
    PEBS_HAS_AUX = 2048, /* architectural records: address, source, latency, tsx */
};

/* Bits of an architectural record's header that do not stand for a group of CFG_C. */
#define PEBS_HEAD_64_BIT BIT(30)
#define PEBS_HEAD_CONTINUED BIT(31)
#define PEBS_HEAD_BASIC BIT(63)

struct pebs_record {
    u32 size;   /* the format's size, or the size that the record states */
    u32 walked; /* adaptive: the sum of its groups' sizes; otherwise equal to size */
    u32 groups; /* adaptive: its groups and number of LBR entries, as in MSR_PEBS_DATA_CFG[31:0] */
    unsigned has;
    u64 ip, eventing_ip, flags, reg[PEBS_REGISTERS];
    u64 status, applicable, tsc;
    u64 address, source, latency, tsx;
    u16 retire_latency;      /* adaptive records only */
    const u8 *xmm, *lbr;     /* XMM0 first; the newest branch first */
    u32 lbr_count, values;   /* numbers of LBR entries and of counter values */
    u64 gp_mask, fixed_mask; /* the counters that have a value */
    const u8 *value;
    /* Architectural records only. */
    u32 fragments;   /* its number of pieces: 1, unless the record is continued */
    u32 padding;     /* bytes of `size` in pieces that name no group or come before the first */
    u64 head;        /* the groups that its headers name, with the bits of CFG_C, and PEBS_HEAD_... */
    u64 lbr_control; /* from the header of the LBR group */
    u64 xstate;      /* from the header of the vector registers: components of state */
    const u8 *ymmh;
    u32 metrics; /* from the header of the counters group: the mask of PERF_METRICS */
};

/*
 * Decodes the record at the start of `room` bytes. False if the format is unknown, the room is too small, or an
 * adaptive record states a size that is too small for its groups; *record is then not usable, except its size and its
 * padding, the bytes at the start that belong to no record.
 */
bool pebs_decode(unsigned format, const u8 *at, u64 room, struct pebs_record *record);
/* Bytes of a record: of a fixed format, or of an adaptive record with these groups (MSR_PEBS_DATA_CFG); 0: unknown. */
u32 pebs_record_size(unsigned format, u64 data_cfg);
/*
 * Bytes of an architectural record in one piece, with these groups of CFG_C. The counters group counts with its header
 * only, and so do branch records if their number is not fixed.
 */
u32 apebs_record_size(u64 groups);

/*
 * The memory that architectural PEBS may write to: each CPU has its own buffers of contiguous pages, aligned to their
 * size, each with a page before and after it that nothing may touch. The hardware writes there by physical addresses,
 * past all page tables, so only IA32_PEBS_BASE keeps it out of firmware's memory. So it only ever holds 0 or one of
 * these buffers, and records are only turned on while it does: the write gate asks apebs_area_owned() about each value
 * to write, and again about the value that the register reads. Memory is identity-mapped.
 */

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
