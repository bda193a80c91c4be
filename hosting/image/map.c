/* SPDX-License-Identifier: BSD-2-Clause */
#include "hosting/image/map.h"

#define RESERVED 2
#define PAGE 4096ull
#define MIB (1ull << 20)
#define LOWER_MAX (640ull << 10)
#define UPPER_MAX (4ull << 30)

static bool overlap(struct guest_range a, struct guest_range b)
{
    return a.base < b.end && b.base < a.end;
}

static void add(struct guest_map *map, u64 base, u64 end, u32 type)
{
    if (base < end && map->regions < GUEST_REGIONS)
        map->region[map->regions++] = (struct boot_region){base, end - base, type};
}

void guest_map_build(struct guest_map *map, const struct boot_region *regions, unsigned count,
                     struct guest_range hidden)
{
    *map = (struct guest_map){.hidden = hidden};
    for (unsigned i = 0; i < count; i++) {
        struct guest_range r = {regions[i].base, regions[i].base + regions[i].length};
        if (regions[i].type != BOOT_REGION_AVAILABLE || !overlap(r, hidden)) {
            add(map, r.base, r.end, regions[i].type);
            continue;
        }
        struct guest_range cut = {r.base > hidden.base ? r.base : hidden.base, r.end < hidden.end ? r.end : hidden.end};
        add(map, r.base, cut.base, BOOT_REGION_AVAILABLE);
        add(map, cut.base, cut.end, RESERVED);
        add(map, cut.end, r.end, BOOT_REGION_AVAILABLE);
    }
}

/* The end of available memory that begins at `at`; `at` itself if it is not available. Adjacent regions are joined. */
static u64 available_until(const struct guest_map *map, u64 at)
{
    for (unsigned i = 0; i < map->regions; i++) {
        const struct boot_region *r = &map->region[i];
        if (r->type == BOOT_REGION_AVAILABLE && at - r->base < r->length) {
            at = r->base + r->length;
            i = ~0u; /* the adjacent region may be anywhere in the list */
        }
    }
    return at;
}

/* The end of a taken range that overlaps `range`; 0: none does. */
static u64 obstacle(const struct guest_map *map, struct guest_range range)
{
    for (unsigned i = 0; i < map->taken_count; i++)
        if (overlap(map->taken[i], range))
            return map->taken[i].end;
    return 0;
}

bool guest_map_take(struct guest_map *map, struct guest_range range)
{
    if (range.base >= range.end || available_until(map, range.base) < range.end || obstacle(map, range) ||
        map->taken_count == GUEST_TAKEN)
        return false;
    map->taken[map->taken_count++] = range;
    return true;
}

/* The lowest free place in [base, end). */
static u64 place_within(const struct guest_map *map, u64 size, u64 base, u64 end)
{
    for (;;) {
        u64 at = (base + PAGE - 1) & ~(PAGE - 1);
        if (at < base || at >= end || size > end - at)
            return 0;
        base = obstacle(map, (struct guest_range){at, at + size});
        if (!base)
            return at;
    }
}

u64 guest_map_place(struct guest_map *map, u64 size, struct guest_range where)
{
    u64 best = 0;
    size = size ? size : 1;
    for (unsigned i = 0; i < map->regions; i++) {
        const struct boot_region *r = &map->region[i];
        u64 base = r->base > where.base ? r->base : where.base;
        u64 end = r->base + r->length < where.end ? r->base + r->length : where.end;
        u64 at = r->type == BOOT_REGION_AVAILABLE && base < end ? place_within(map, size, base, end) : 0;
        if (at && (!best || at < best))
            best = at;
    }
    return best && guest_map_take(map, (struct guest_range){best, best + size}) ? best : 0;
}

u32 guest_map_lower(const struct guest_map *map)
{
    u64 end = available_until(map, 0);
    return (u32)((end < LOWER_MAX ? end : LOWER_MAX) >> 10);
}

u32 guest_map_upper(const struct guest_map *map)
{
    u64 end = MIB, limit = map->hidden.base > MIB ? map->hidden.base : UPPER_MAX;
    for (unsigned i = 0; i < map->regions; i++) {
        const struct boot_region *r = &map->region[i];
        if (r->type == BOOT_REGION_AVAILABLE && r->base + r->length <= limit && r->base + r->length > end)
            end = r->base + r->length;
    }
    return (u32)((end - MIB) >> 10);
}
