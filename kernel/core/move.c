/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a moved image goes, and the addresses in it. Pure. */
#include "boot/bytes.h"
#include "kernel/core/image.h"
#include "kernel/text/text.h"

#define LOWEST (1ull << 20)
#define HIGHEST 0xfec00000ull /* above are registers and ROM, whatever the firmware's map says */

struct range {
    u64 at, end;
};

static bool overlap(struct range a, struct range b)
{
    return a.at < b.end && b.at < a.end;
}

/* Where the lowest obstacle in `place` begins; 0 if there is none. */
static u64 obstacle(const struct boot_info *boot, struct range image, struct range place)
{
    struct range taken[ARRAY_SIZE(boot->module) + 2] = {
        image, {boot->information, boot->information + boot->information_size}};
    u64 lowest = 0;
    for (unsigned i = 0; i < boot->modules; i++)
        taken[i + 2] = (struct range){boot->module[i].start, boot->module[i].end};
    for_each_row (taken, range)
        if (overlap(*range, place) && (!lowest || range->at < lowest))
            lowest = range->at;
    return lowest;
}

static struct range usable(const struct boot_region *region)
{
    struct range all = {region->base, region->base + region->length};
    if (region->type != BOOT_REGION_AVAILABLE || all.end < all.at)
        return (struct range){0};
    return (struct range){all.at > LOWEST ? all.at : LOWEST, all.end < HIGHEST ? all.end : HIGHEST};
}

static struct range largest_region(const struct boot_info *boot)
{
    struct range largest = {0};
    for (unsigned i = 0; i < boot->regions; i++) {
        struct range region = usable(&boot->region[i]);
        if (region.at < region.end && region.end - region.at >= largest.end - largest.at)
            largest = region;
    }
    return largest;
}

/* The highest free place in the range; without `caches` it need not be cached. */
static u64 place_in(const struct boot_info *boot, struct range range, struct range image, move_caches caches)
{
    u64 size = image.end - image.at, below = range.end;
    while (below >= range.at + size) {
        u64 at = (below - size) & ~(MOVE_ALIGNMENT - 1);
        if (at < range.at)
            break;
        below = obstacle(boot, image, (struct range){at, at + size});
        if (!below && (!caches || caches(at, at + size)))
            return at;
        if (!below)
            below = at + size - 1;
    }
    return 0;
}

u64 move_place(const struct boot_info *boot, u64 start, u64 end, move_caches caches)
{
    struct range region = largest_region(boot), image = {start, end};
    u64 cached = place_in(boot, region, image, caches);
    return cached ? cached : place_in(boot, region, image, NULL);
}

void move_addresses(u8 *image, u8 *data, u64 by)
{
    for (unsigned i = 0; i < move_count; i++) {
        u8 *place = (move_rows[i] & MOVE_DATA ? data : image) + (move_rows[i] & MOVE_OFFSET);
        unsigned width = move_rows[i] & MOVE_NARROW ? 4 : 8;
        bytes_put(place, bytes_get(place, width) + by, width);
    }
}

extern u8 image_start[], data_start[], file_end[], image_end[], entry[];
_Noreturn void restart(u64 entry, u64 information, u32 loader); /* boot/restart.asm */

bool image_moved(void)
{
    return (u64)image_start != move_linked;
}

void image_move(u32 loader, const struct boot_reader *reader, u64 information, move_caches caches)
{
    if (!move_count || image_moved())
        return;
    boot_info_take(loader, reader, information);
    u64 to = move_place(boot_info(), (u64)image_start, (u64)image_end, caches);
    if (!to)
        return;
    u64 by = to - (u64)image_start;
    size_t loaded = (size_t)(file_end - image_start);
    memcpy((void *)to, image_start, loaded);
    if (memcmp((void *)to, image_start, loaded))
        return; /* there is no memory, whatever the firmware's map says */
    memset(file_end + by, 0, (size_t)(image_end - file_end));
    *(struct boot_found *)((u64)&boot_found + by) = boot_found;
    move_addresses(image_start + by, data_start + by, by);
    restart((u64)entry + by, information, loader);
}
