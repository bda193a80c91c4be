/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory that a processor trace may be written to: each CPU has its own table and two pages, each with a page
 * before and after it that nothing may touch. A trace is written by physical addresses, past all page tables, so only
 * the table keeps it out of firmware's memory. Therefore IA32_RTIT_OUTPUT_BASE only ever holds this table, and a trace
 * is only turned on while all entries name these pages: the write gate asks trace_table_owned(). Memory is mapped to
 * its own addresses.
 */
#pragma once

#include "boot/bits.h"
#include "kernel/core/memory.h"
#include "pmu/cpu/caps.h"

#define TRACE_REGIONS 2
#define TRACE_REGION_BYTES PAGE_SIZE
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
