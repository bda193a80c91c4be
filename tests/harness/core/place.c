/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/place.h"

/* Kinds of level in ECX[15:8] of leaves 0BH and 1FH. Leaf 0BH has the first two only. */
enum level { LEVEL_NONE, LEVEL_THREAD, LEVEL_CORE, LEVEL_MODULE, LEVEL_TILE };

/* Ends the levels from the last one up to `kind` at `shift`: the bits below number what is inside. */
static void end_level(struct place_bits *bits, u32 kind, u8 shift)
{
    if (kind <= LEVEL_THREAD)
        bits->core = shift;
    if (kind <= LEVEL_CORE)
        bits->module = shift;
    if (kind <= LEVEL_TILE)
        bits->die = shift;
    bits->socket = shift; /* a level of a kind that the manual does not define counts to the die */
}

/* False if the leaf has no information: it does not exist or is all zeros. */
static bool by_levels(const u32 level[PLACE_LEVELS][4], struct place_bits *bits)
{
    u8 so_far = 0;
    if (!(level[0][1] & 0xffff))
        return false;
    for (u32 n = 0; n < PLACE_LEVELS; n++) {
        u32 kind = level[n][2] >> 8 & 0xff;
        u8 shift = level[n][0] & 0x1f;
        if (kind == LEVEL_NONE)
            break;
        so_far = shift > so_far ? shift : so_far;
        end_level(bits, kind, so_far);
    }
    return true;
}

static u8 bits_for(u32 count)
{
    u8 bits = 0;
    while (count > 1u << bits)
        bits++;
    return bits;
}

#define HTT (1u << 28)

/* Leaf 1 states the maximum number of logical CPUs of a package, leaf 4 that of cores. */
static void by_room(const struct place_leaves *leaves, struct place_bits *bits)
{
    u32 logical = leaves->leaf1[3] & HTT ? leaves->leaf1[1] >> 16 & 0xff : 1;
    u32 cores = leaves->leaf4[0] & 0x1f ? (leaves->leaf4[0] >> 26) + 1 : 1;
    u8 all = bits_for(logical), core = bits_for(cores);
    end_level(bits, LEVEL_CORE, all);
    bits->core = all > core ? all - core : 0;
}

struct place_bits place_bits(const struct place_leaves *leaves)
{
    struct place_bits bits = {.leaf = 0x1f};
    if (by_levels(leaves->leaf1f, &bits))
        return bits;
    bits.leaf = 0x0b;
    if (by_levels(leaves->leaf0b, &bits))
        return bits;
    bits.leaf = 0x04;
    by_room(leaves, &bits);
    return bits;
}

static u32 field(u32 id, u8 from, u8 to)
{
    return (id & (u32)(BIT(to) - 1)) >> from;
}

struct place place_of(const struct place_bits *bits, u32 apic_id)
{
    return (struct place){
        .socket = field(apic_id, bits->socket, 32),
        .die = field(apic_id, bits->die, bits->socket),
        .module = field(apic_id, bits->module, bits->die),
        .core = field(apic_id, bits->core, bits->module),
        .thread = field(apic_id, 0, bits->core),
    };
}
