/* SPDX-License-Identifier: BSD-2-Clause */
/* Linux's boot parameters: Documentation/arch/x86/zero-page.rst and boot.rst. */
#include "boot/bytes.h"
#include "hosting/image/information.h"
#include "kernel/text/text.h"

#define PAGE 4096u
#define RSDP_ADDRESS 0x070
#define MAP_ENTRIES 0x1e8
#define SETUP_HEADER 0x1f1
#define SETUP_HEADER_END 0x290
#define VIDEO_MODE 0x1fa
#define VIDEO_NORMAL 0xffff
#define LOADER_TYPE 0x210
#define LOADER_UNDEFINED 0xff
#define CODE32_START 0x214
#define RAMDISK_ADDRESS 0x218
#define RAMDISK_SIZE 0x21c
#define COMMAND_LINE 0x228
#define MAP 0x2d0
#define MAP_MAX 128u
#define RSDP_SIZE 36u

static void put_map(u8 *to, const struct guest_map *map)
{
    unsigned count = map->regions < MAP_MAX ? map->regions : MAP_MAX;
    to[MAP_ENTRIES] = (u8)count;
    for (unsigned i = 0; i < count; i++) {
        u8 *entry = to + MAP + 20 * i;
        bytes_put(entry, map->region[i].base, 8);
        bytes_put(entry + 8, map->region[i].length, 8);
        bytes_put(entry + 16, map->region[i].type, 4);
    }
}

u64 guest_information_linux(u8 *to, u64 address, const struct guest_offer *offer, const u8 *file,
                            const struct guest_image *image)
{
    u64 length = strlen(offer->command_line), used = PAGE + length + 1;
    u64 rsdp = (used + 15) & ~15ull;
    if (length > image->command_line || rsdp + RSDP_SIZE > GUEST_INFORMATION_SIZE ||
        image->setup_size > SETUP_HEADER_END - SETUP_HEADER)
        return 0;
    memcpy(to + SETUP_HEADER, file + SETUP_HEADER, image->setup_size);
    put_map(to, offer->map);
    memcpy(to + PAGE, offer->command_line, length + 1);
    memcpy(to + rsdp, offer->rsdp, offer->rsdp_size < RSDP_SIZE ? offer->rsdp_size : RSDP_SIZE);
    bytes_put(to + RSDP_ADDRESS, offer->rsdp_size ? address + rsdp : 0, 8);
    bytes_put(to + VIDEO_MODE, VIDEO_NORMAL, 2);
    to[LOADER_TYPE] = LOADER_UNDEFINED;
    bytes_put(to + CODE32_START, image->entry, 4);
    bytes_put(to + COMMAND_LINE, address + PAGE, 4);
    if (offer->modules) {
        bytes_put(to + RAMDISK_ADDRESS, offer->module[0].start, 4);
        bytes_put(to + RAMDISK_SIZE, offer->module[0].end - offer->module[0].start, 4);
    }
    return rsdp + RSDP_SIZE;
}
