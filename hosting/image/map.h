/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory map for a hosted kernel: the machine's, without the monitor's memory. Pure. */
#pragma once

#include "boot/boot_info.h"

struct guest_range {
    u64 base, end;
};

#define GUEST_REGIONS (BOOT_REGIONS + 2)
#define GUEST_TAKEN 64
struct guest_map {
    struct boot_region region[GUEST_REGIONS];
    unsigned regions;
    struct guest_range hidden;             /* the monitor's memory */
    struct guest_range taken[GUEST_TAKEN]; /* ranges from guest_map_take() and guest_map_place() */
    unsigned taken_count;
};

/* The machine's regions; `hidden` is cut out of available ones and becomes reserved. */
void guest_map_build(struct guest_map *map, const struct boot_region *regions, unsigned count,
                     struct guest_range hidden);
/* Takes exactly this range; false if part of it is not available memory, or is taken. */
bool guest_map_take(struct guest_map *map, struct guest_range range);
/*
 * Takes `size` bytes on a page boundary, at the lowest free place within `where`. Returns its address, or 0 if there is
 * none.
 */
u64 guest_map_place(struct guest_map *map, u64 size, struct guest_range where);
/*
 * KiB of memory from 0 and from 1 MiB, for kernels that use nothing else. The second ends at the monitor even if
 * firmware keeps something below it: under UEFI the sum would otherwise be too small for any kernel.
 */
u32 guest_map_lower(const struct guest_map *map);
u32 guest_map_upper(const struct guest_map *map);
