/*
 * The memory that a processor trace may be written to: for each CPU a table and two pages of its own, each with a page
 * before and behind it that nothing may touch. A trace goes by physical addresses, past every page table: what the
 * table names is all that keeps it from firmware's memory. So IA32_RTIT_OUTPUT_BASE is only ever this table, and a
 * trace is only ever turned on while each of its entries names these pages: the write gate asks trace_table_owned().
 * Memory is mapped to its own addresses.
 */
#pragma once

#include "boot/bits.h"
#include "kernel/core/memory.h"

#define TRACE_REGIONS 2
#define TRACE_REGION_BYTES PAGE_SIZE
#define TRACE_ENTRIES (PAGE_SIZE / sizeof(u64))

struct trace_area {
    u64 *table;
    u8 *region; /* TRACE_REGIONS of them, one behind the other */
};

/* The calling CPU's. Takes memory at the first call; false if there is none left. */
bool trace_area_get(struct trace_area *area);
/* Fills regions and the pages around with a pattern. */
void trace_area_fill(const struct trace_area *area);
/* Bytes from the first region's start up to the last one, of both regions, that no longer holds the pattern. */
u64 trace_area_written(const struct trace_area *area);
/* How many of the first `bytes` no longer hold the pattern. */
u64 trace_area_touched(const struct trace_area *area, u64 bytes);
/* Does each page around the calling CPU's table and regions still hold the pattern? */
bool trace_area_kept_in(void);

/*
 * Is `base` within the page of the calling CPU's table, whose entries all name its regions, at their size, or lead back
 * to it, the first one a region?
 */
bool trace_table_owned(u64 base);
/* Would IA32_RTIT_OUTPUT_MASK_PTRS point into that table, and at most behind the end of a region? Pure. */
bool trace_pointers_inside(u64 pointers);
