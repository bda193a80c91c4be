/* SPDX-License-Identifier: BSD-2-Clause */
#include "hosting/monitor/run/bios_map.h"
#include "boot/bytes.h"

#define QUERY_MAP 0xe820
#define GET_SIZE 0xe801
#define GET_EXTENDED 0x88 /* in AH */
#define SMAP 0x534d4150
#define UNSUPPORTED 0x86
#define KIB 10
#define BLOCK 16 /* blocks of 64 KiB */
#define MIB (1ull << 20)
#define BELOW_16_MIB (15ull << 10) /* KiB from 1 MiB to 16 MiB */
#define EXTENDED_MOST (63ull << 10)
#define LIMIT (4ull << 30)

static u32 low_half(u32 whole, u64 half)
{
    return (whole & ~0xffffu) | (u16)half;
}

/* Bytes of available memory from 1 MiB to where it first ends. */
static u64 above_1_mib(const struct boot_region *map, unsigned regions)
{
    u64 end = MIB;
    for (unsigned i = 0; i < regions; i++)
        if (map[i].type == BOOT_REGION_AVAILABLE && map[i].base <= end && map[i].base + map[i].length > end) {
            end = map[i].base + map[i].length;
            i = ~0u; /* the region that follows may be anywhere in the map */
        }
    return (end < LIMIT ? end : LIMIT) - MIB;
}

static void query_map(struct bios_call *c, const struct boot_region *map, unsigned regions)
{
    u32 n = c->ebx;
    c->carry = c->edx != SMAP || c->ecx < BIOS_ENTRY || n >= regions;
    if (c->carry) {
        c->eax = low_half(c->eax, UNSUPPORTED << 8);
        return;
    }
    bytes_put(c->entry, map[n].base, 8);
    bytes_put(c->entry + 8, map[n].length, 8);
    bytes_put(c->entry + 16, map[n].type, 4);
    c->stored = BIOS_ENTRY;
    c->eax = SMAP;
    c->ecx = BIOS_ENTRY;
    c->ebx = n + 1 < regions ? n + 1 : 0;
}

/* KiB up to 16 MiB, and blocks from there on. */
static void get_size(struct bios_call *c, u64 bytes)
{
    u64 kib = bytes >> KIB, low = kib < BELOW_16_MIB ? kib : BELOW_16_MIB;
    u64 blocks = (bytes - (low << KIB)) >> BLOCK;
    c->eax = low_half(c->eax, low);
    c->ecx = low_half(c->ecx, low);
    c->ebx = low_half(c->ebx, blocks);
    c->edx = low_half(c->edx, blocks);
}

bool bios_answer(struct bios_call *c, const struct boot_region *map, unsigned regions)
{
    u16 function = (u16)c->eax;
    u64 kib = above_1_mib(map, regions) >> KIB;
    c->carry = false;
    c->stored = 0;
    if (function == QUERY_MAP)
        query_map(c, map, regions);
    else if (function == GET_SIZE)
        get_size(c, above_1_mib(map, regions));
    else if (function >> 8 == GET_EXTENDED)
        c->eax = low_half(c->eax, kib < EXTENDED_MOST ? kib : EXTENDED_MOST);
    else
        return false;
    return true;
}
