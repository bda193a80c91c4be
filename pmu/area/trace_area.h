/* SPDX-License-Identifier: BSD-2-Clause */
/* Processor Trace: what a CPU has of it, its packets, and the memory that they are written to. */
#pragma once

#include "boot/bits.h"
#include "kernel/core/memory.h"
#include "pmu/cpu/caps.h"
#include "pmu/registers.h"

/* ---- What a CPU's processor trace can do, by CPUID leaf 14H. SDM 3C, "Intel Processor Trace". Pure. */

/* NULL if this CPU can trace into a table and nobody else traces; else the reason, written to `text`. */
#define TRACE_TEXT 120
const char *trace_unavailable(const struct pmu_caps *caps, char text[TRACE_TEXT]);
/* The number of regions in the table: 1 or TRACE_REGIONS. */
unsigned trace_regions(const struct pmu_caps *caps);
/* The bits of IA32_RTIT_CTL that leaf 14H enumerates, except TraceEn, fields of several bits, and bits that need a
 * period or threshold other than 0 by sub-leaf 1. */
u64 trace_ctl_bits(const struct pmu_caps *caps);
/* The bits that the manual defines but this CPU's leaf 14H does not enumerate. */
u64 trace_ctl_absent(const struct pmu_caps *caps);
/* Does sub-leaf 1 tell which values fields may have? On some CPUs it is all zeros although leaf 14H.0 names cycles, MTC
 * packets or address ranges: then it says nothing of the fields below. */
bool trace_values_enumerated(const struct pmu_caps *caps);
/* A field of IA32_RTIT_CTL, and the values that it may have, as bits; 0 may be written whatever they are. None: the
 * field is reserved, if sub-leaf 1 tells anything. SDM 3C, "Detection of Intel Processor Trace and Capability
 * Enumeration". */
struct trace_field {
    u64 bits;
    u16 values;
};
#define TRACE_FIELDS_MAX (3 + RTIT_RANGES_MAX)
unsigned trace_ctl_fields(const struct pmu_caps *caps, struct trace_field list[TRACE_FIELDS_MAX]);
/* The bits of fields that may have some value, and of those that may not. */
u64 trace_field_bits(const struct pmu_caps *caps);
u64 trace_field_bits_absent(const struct pmu_caps *caps);

/*
 * The packets of a processor trace, and what they say about the traced code. Pure: whatever the bytes are, nothing
 * outside the given room is read. SDM 3C, "Packet Definitions".
 */

enum trace_packet_kind {
    PACKET_PAD,
    PACKET_TNT, /* conditional branches, taken or not */
    PACKET_TIP, /* target of a branch that the code does not show */
    PACKET_TIP_PGE,
    PACKET_TIP_PGD,
    PACKET_FUP,
    PACKET_PSB,
    PACKET_PSBEND,
    PACKET_OVF,
    PACKET_STOP,
    PACKET_MODE,
    PACKET_TIME, /* TSC, TMA, MTC, CYC, CBR */
    PACKET_PAGE, /* PIP, VMCS */
    PACKET_MORE, /* MNT, and packets that are only written on request: power, PTWRITE, events */
};

struct trace_packet {
    enum trace_packet_kind kind;
    u32 bytes;
    u32 branches; /* for TNT: 1 to 47 */
    u64 taken;    /* one bit per branch, the youngest in bit 0 */
    bool has_ip;  /* for TIP, TIP.PGE, TIP.PGD and FUP */
    u64 ip;
};

/* The position in a trace. It starts at the first byte of a packet. */
struct trace_reader {
    const u8 *data;
    u64 size, at;
    u64 last_ip;        /* the address that completes a shortened one */
    const char *wanted; /* what should be at `at` but is not; NULL if a packet was read or the trace ended */
};
/* Reads the next packet; false at the end, or if there is no valid packet. */
bool trace_packet_next(struct trace_reader *reader, struct trace_packet *packet);

/*
 * The contents of a whole trace. Directions and targets are two separate lists, each in the order of execution, because
 * a CPU may collect several of one kind before it writes them.
 */
#define TRACE_DIRECTIONS_MOST 128
#define TRACE_TARGETS_MOST 128
struct trace_told {
    u32 begins, ends;        /* TIP.PGE and TIP.PGD */
    u32 boundaries;          /* PSB */
    u32 directions, targets; /* how many there are, including those without room below */
    u64 begin;               /* where tracing began: the first address in a TIP.PGE; 0 if there is none */
    bool lost;               /* OVF: packets are missing */
    bool taken[TRACE_DIRECTIONS_MOST];
    u64 target[TRACE_TARGETS_MOST];
    u64 end;            /* the offset up to which the bytes are a valid trace */
    const char *wanted; /* what should come next but does not, in words; NULL: the trace is complete */
};
void trace_read(const u8 *data, u64 size, struct trace_told *told);

/*
 * The table of physical addresses that a processor trace is written to: entries of 64 bits, each of which names a
 * region or the next table. SDM 3C, "Table of Physical Addresses (ToPA)".
 */

#define TOPA_END BIT(0)  /* the entry names the next table, not a region */
#define TOPA_INT BIT(2)  /* a PMI when the region is full */
#define TOPA_STOP BIT(4) /* the trace ends when the region is full */
#define TOPA_SIZE MASK(9, 6)
#define TOPA_SIZE_OF(size) FIELD(9, 6, size) /* 4 KiB << size */
#define TOPA_ADDRESS MASK(51, 12)

/*
 * The memory that a processor trace may be written to: each CPU has its own table and two pages, each with a page
 * before and after it that nothing may touch. Instead of two pages the first region may have up to 16 KiB, with a page
 * before and after it. A trace is written by physical addresses, past all page tables, so only the table keeps it out
 * of firmware's memory. Therefore IA32_RTIT_OUTPUT_BASE only ever holds this table, and a trace is only turned on while
 * all entries name this memory: the write gate asks trace_table_owned(). Memory is mapped to its own addresses.
 */

#define TRACE_REGIONS 2
#define TRACE_REGION_BYTES PAGE_SIZE
#define TRACE_SIZE_MOST 2                   /* of the first region: 16 KiB */
#define TRACE_REGION_OFFSET (2 * PAGE_SIZE) /* of the first region from the table, with a page between them */
#define TRACE_ENTRIES (PAGE_SIZE / sizeof(u64))

struct trace_area {
    u64 *table;
    u8 *region; /* TRACE_REGIONS of them, one after the other */
};

/* The calling CPU's area. Allocates memory at the first call; false if none is left. */
bool trace_area_get(struct trace_area *area);
/* Fills the regions and the pages around them with a pattern. */
void trace_area_fill(const struct trace_area *area);
/* Bytes from the start of the first region to the last byte of either that no longer holds the pattern. */
u64 trace_area_written(const struct trace_area *area);
/* How many of the first `bytes` no longer hold the pattern. */
u64 trace_area_touched(const struct trace_area *area, u64 bytes);
/* Does each page around the calling CPU's table and regions still hold the pattern? */
bool trace_area_kept_in(void);

/*
 * Is `base` in the page of the calling CPU's table? And does each of its entries name a region of ours, at its size, or
 * lead back to the table, with a region in the first one?
 */
bool trace_table_owned(u64 base);
/* Does an entry of that table at address `table` name a region of it, at its size, or lead back to it? Pure. */
bool trace_entry_inside(u64 table, u64 entry);
/* Would IA32_RTIT_OUTPUT_MASK_PTRS point into that table, and no further than the end of a region? Pure. */
bool trace_pointers_inside(u64 pointers);
/* The registers that decide where a trace goes. */
struct trace_registers {
    u64 control, base, pointers;
};
/*
 * Does a trace stay in its memory after a write to `msr` that leaves these registers? `owned`: the base is that of the
 * table, as by trace_table_owned(). Pure.
 */
bool trace_stays_inside(const struct pmu_caps *caps, u32 msr, const struct trace_registers *after, bool owned);
