/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/area/trace_area.h"
#include "kernel/cpu/cpus.h"

/* Pages: guard, table, guard, regions, guard, spare, guard. The largest region has those from the regions to the spare.
 */
enum {
    TABLE_PAGE = 1,
    REGION_PAGE = TABLE_PAGE + TRACE_REGION_OFFSET / PAGE_SIZE,
    LARGEST_PAGES = 1 << TRACE_SIZE_MOST,
    PAGES = REGION_PAGE + LARGEST_PAGES + 1
};
static const u8 untouched[] = {0, TABLE_PAGE + 1, REGION_PAGE + TRACE_REGIONS, PAGES - 1};

static PER_CPU u8 *pools;

static u8 *own_pool(void)
{
    return of_cpu(pools, cpu_index());
}

/* A region begins at a multiple of its size. */
static u8 *pool_alloc(void)
{
    u64 size = LARGEST_PAGES * PAGE_SIZE, before = REGION_PAGE * PAGE_SIZE;
    u64 pages = (u64)pages_alloc(PAGES + LARGEST_PAGES - 1);
    return pages ? (u8 *)(((pages + before + size - 1) & ~(size - 1)) - before) : NULL;
}

bool trace_area_get(struct trace_area *area)
{
    u8 **pool = &of_cpu(pools, cpu_index());
    if (!*pool)
        *pool = pool_alloc();
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

/* A larger region begins where the first one does. */
static bool larger_inside(u64 table, u64 entry)
{
    return trace_entry_inside(table, entry & ~TOPA_SIZE) && !(entry & TOPA_END) &&
           (entry & TOPA_ADDRESS) == table + TRACE_REGION_OFFSET && FIELD_GET(entry, 9, 6) <= TRACE_SIZE_MOST;
}

bool trace_table_owned(u64 base)
{
    u64 table = (u64)own_pool() + TABLE_PAGE * PAGE_SIZE;
    const u64 *entries = (const u64 *)table;
    if (!own_pool() || (base & ~MASK(11, 0)) != table || entries[0] & TOPA_END)
        return false;
    for (unsigned i = 0; i < TRACE_ENTRIES; i++)
        if (!trace_entry_inside(table, entries[i]) && !larger_inside(table, entries[i]))
            return false;
    return true;
}
