/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory that debug store may write to: for each CPU two areas of its own, each a management area and a buffer of
 * pages that are present, writable, accessed and dirty before IA32_DS_AREA ever names them, with a mapped page of slack
 * after them, so that no store by the hardware can fault (SKL124).
 */
#include "kernel/core/memory.h"
#include "kernel/cpu/cpus.h"
#include "kernel/text/text.h"
#include "pmu/area/ds.h"
#include "pmu/cpu/pebs.h"

#define BUFFER_PAGES 4
#define SLACK_PAGES 1

static PER_CPU u8 *pools[DS_AREAS];

static unsigned buffer_pages(const struct pmu_caps *caps)
{
    return pebs_pages_most(caps) < BUFFER_PAGES ? pebs_pages_most(caps) : BUFFER_PAGES;
}

bool ds_area_get(const struct pmu_caps *caps, unsigned which, struct ds_area *area)
{
    u8 **pool = &of_cpu(pools, cpu_index())[which];
    if (!*pool)
        *pool = pages_alloc(1 + BUFFER_PAGES + SLACK_PAGES);
    if (!*pool)
        return false;
    *area = (struct ds_area){
        .layout = ds_layout(true, pebs_format(caps)), /* the image runs in IA-32e mode */
        .management = *pool,
        .buffer = *pool + PAGE_SIZE,
        .room = buffer_pages(caps) * PAGE_SIZE,
    };
    return true;
}

/* Neighbouring words differ, and a record is unlikely to contain one of them. */
static u64 pattern(u64 offset)
{
    return 0xdead5a5a00000000 + offset * 0x9e3779b1;
}

u64 ds_area_end(const struct ds_area *area)
{
    return area->room + SLACK_PAGES * PAGE_SIZE;
}

void ds_area_fill(const struct ds_area *area)
{
    memset(area->management, 0, DS_AREA_BYTES);
    ds_area_fill_buffer(area);
}

void ds_area_fill_buffer(const struct ds_area *area)
{
    for (u64 offset = 0; offset < ds_area_end(area); offset += 8)
        *(volatile u64 *)(area->buffer + offset) = pattern(offset);
}

u64 ds_area_touched(const struct ds_area *area, u64 from)
{
    for (u64 offset = from; offset < ds_area_end(area); offset++)
        if (*(volatile u8 *)(area->buffer + offset) != (u8)(pattern(offset & ~7ull) >> 8 * (offset & 7)))
            return offset;
    return ds_area_end(area);
}

/* A management area lies in one page. */
static bool within(u64 page, u64 address)
{
    return page && address >= page && address + DS_AREA_BYTES <= page + PAGE_SIZE && address % 8 == 0;
}

bool ds_area_owned(u64 address)
{
    for (unsigned i = 0; i < DS_AREAS; i++)
        if (within((u64)of_cpu(pools, cpu_index())[i], address))
            return true;
    return false;
}
