/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The memory that architectural PEBS may write to: each CPU has its own buffers of contiguous pages, aligned to their
 * size, each with a page before and after it that nothing may touch.
 */
#include "kernel/core/memory.h"
#include "kernel/cpu/cpus.h"
#include "kernel/register/msr.h"
#include "pmu/area/ds.h"
#include "pmu/cpu/pebs.h"
#include "pmu/registers.h"

#define BLOCK_PAGES (1u << APEBS_ORDER_MOST)
#define BLOCK_BYTES (BLOCK_PAGES * PAGE_SIZE)
#define POOL_PAGES (2 * BLOCK_PAGES + 1) /* whatever its address, it holds a page, an aligned block and a page */

static PER_CPU u8 *pools[APEBS_AREAS];

static u64 block_of(const u8 *pool)
{
    return ((u64)pool + PAGE_SIZE + BLOCK_BYTES - 1) & ~(BLOCK_BYTES - 1);
}

bool apebs_area_get(unsigned which, u64 order, struct ds_area *area)
{
    u8 **pool = &of_cpu(pools, cpu_index())[which];
    if (!*pool)
        *pool = pages_alloc(POOL_PAGES);
    if (!*pool || !apebs_buffer_bytes(order))
        return false;
    *area = (struct ds_area){.buffer = (u8 *)block_of(*pool), .room = apebs_buffer_bytes(order)};
    return true;
}

/* ---- The pages around the buffer. */

static u8 *pool_of(const struct ds_area *area)
{
    for (unsigned i = 0; i < APEBS_AREAS; i++) {
        u8 *pool = of_cpu(pools, cpu_index())[i];
        if (pool && block_of(pool) == (u64)area->buffer)
            return pool;
    }
    return NULL;
}

static bool outside(const struct ds_area *area, const u8 *at)
{
    return at < area->buffer || at >= area->buffer + ds_area_end(area); /* the page of slack has its own pattern */
}

static u64 guard(u64 address)
{
    return 0xa5c3000000000000 + address * 0x9e3779b1;
}

void apebs_area_guard(const struct ds_area *area)
{
    u8 *pool = pool_of(area);
    for (u8 *at = pool; at < pool + POOL_PAGES * PAGE_SIZE; at += 8)
        if (outside(area, at))
            *(volatile u64 *)(void *)at = guard((u64)at);
}

bool apebs_area_kept_in(const struct ds_area *area)
{
    const u8 *pool = pool_of(area);
    if (ds_area_touched(area, area->room) != ds_area_end(area))
        return false;
    for (const u8 *at = pool; at < pool + POOL_PAGES * PAGE_SIZE; at += 8)
        if (outside(area, at) && *(const volatile u64 *)(const void *)at != guard((u64)at))
            return false;
    return true;
}

/* ---- The values that the registers may hold. */

bool apebs_area_owned(u64 base)
{
    for (unsigned i = 0; i < APEBS_AREAS; i++) {
        const u8 *pool = of_cpu(pools, cpu_index())[i];
        if (pool && apebs_base_within(base, block_of(pool), BLOCK_BYTES))
            return true;
    }
    return false;
}

static bool owned_base(u64 *base)
{
    return rdmsr_try(MSR_PEBS_BASE, base) == NO_FAULT && apebs_area_owned(*base);
}

u64 apebs_owned_bytes(void)
{
    u64 base;
    return owned_base(&base) ? apebs_buffer_bytes(base & PEBS_BASE_SIZE) : 0;
}

bool apebs_ready(void)
{
    u64 bytes = apebs_owned_bytes(), index;
    return bytes && rdmsr_try(MSR_PEBS_INDEX, &index) == NO_FAULT && apebs_index_within(index, bytes);
}

u64 apebs_position(void)
{
    u64 base, index;
    if (!owned_base(&base) || rdmsr_try(MSR_PEBS_INDEX, &index) != NO_FAULT)
        return 0;
    return (base & PEBS_BASE_ADDRESS) + apebs_written(index);
}
