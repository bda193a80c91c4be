/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/area/trace_area.h"
#include "kernel/cpu/cpus.h"

/* Pages: guard, table, guard, regions, guard. */
enum {
    TABLE_PAGE = 1,
    REGION_PAGE = TABLE_PAGE + TRACE_REGION_OFFSET / PAGE_SIZE,
    PAGES = REGION_PAGE + TRACE_REGIONS + 1
};
static const u8 untouched[] = {0, TABLE_PAGE + 1, PAGES - 1};

static PER_CPU u8 *pools;

static u8 *own_pool(void)
{
    return of_cpu(pools, cpu_index());
}

bool trace_area_get(struct trace_area *area)
{
    u8 **pool = &of_cpu(pools, cpu_index());
    if (!*pool)
        *pool = pages_alloc(PAGES);
    if (!*pool)
        return false;
    area->table = (u64 *)(void *)(*pool + TABLE_PAGE * PAGE_SIZE);
    area->region = *pool + REGION_PAGE * PAGE_SIZE;
    return true;
}

/* Packets are unlikely to repeat it for long. */
static u8 pattern(u64 offset)
{
    return (u8)(0xa5 ^ offset ^ offset >> 7);
}

static void fill(u8 *from, u64 bytes)
{
    for (u64 offset = 0; offset < bytes; offset++)
        *(volatile u8 *)(from + offset) = pattern(offset);
}

static bool holds(const u8 *from, u64 offset)
{
    return *(const volatile u8 *)(from + offset) == pattern(offset);
}

void trace_area_fill(const struct trace_area *area)
{
    for_each_row (untouched, page)
        fill(own_pool() + *page * PAGE_SIZE, PAGE_SIZE);
    fill(area->region, TRACE_REGIONS * TRACE_REGION_BYTES);
}

u64 trace_area_written(const struct trace_area *area)
{
    u64 bytes = TRACE_REGIONS * TRACE_REGION_BYTES;
    while (bytes && holds(area->region, bytes - 1))
        bytes--;
    return bytes;
}

u64 trace_area_touched(const struct trace_area *area, u64 bytes)
{
    u64 touched = 0;
    for (u64 offset = 0; offset < bytes; offset++)
        touched += !holds(area->region, offset);
    return touched;
}

bool trace_area_kept_in(void)
{
    for_each_row (untouched, page)
        for (u64 offset = 0; offset < PAGE_SIZE; offset++)
            if (!holds(own_pool() + *page * PAGE_SIZE, offset))
                return false;
    return true;
}

bool trace_table_owned(u64 base)
{
    u64 table = (u64)own_pool() + TABLE_PAGE * PAGE_SIZE;
    const u64 *entries = (const u64 *)table;
    if (!own_pool() || (base & ~MASK(11, 0)) != table || entries[0] & TOPA_END)
        return false;
    for (unsigned i = 0; i < TRACE_ENTRIES; i++)
        if (!trace_entry_inside(table, entries[i]))
            return false;
    return true;
}
