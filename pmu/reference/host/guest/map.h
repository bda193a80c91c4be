/* The memory that a hosted kernel is told of: the machine's, without what the monitor keeps. Pure. */
#pragma once

#include "boot/boot_info.h"

struct guest_range {
    u64 base, end;
};

#define GUEST_REGIONS (BOOT_REGIONS + 2)
#define GUEST_TAKEN 48
struct guest_map {
    struct boot_region region[GUEST_REGIONS];
    unsigned regions;
    struct guest_range hidden;             /* the monitor's */
    struct guest_range taken[GUEST_TAKEN]; /* what guest_map_take() and guest_map_place() gave out */
    unsigned taken_count;
};

/* The machine's regions, with `hidden` cut out of the available ones and told as reserved. */
void guest_map_build(struct guest_map *map, const struct boot_region *regions, unsigned count,
                     struct guest_range hidden);
/* Takes just this range; false if it is not all available memory, or taken. */
bool guest_map_take(struct guest_map *map, struct guest_range range);
/*
 * Takes `size` bytes on a page boundary, at the lowest such place within `where`. Returns its address, or 0 if there
 * is none.
 */
u64 guest_map_place(struct guest_map *map, u64 size, struct guest_range where);
/*
 * KiB of memory from 0 and from 1 MiB, for kernels that look at nothing else. The second ends at the monitor even if
 * firmware keeps something below it: under UEFI it would otherwise be too little for anything.
 */
u32 guest_map_lower(const struct guest_map *map);
u32 guest_map_upper(const struct guest_map *map);
