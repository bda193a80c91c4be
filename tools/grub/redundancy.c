/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/grub/redundancy.h"
#include <stdbool.h>
#include <string.h>

/* ---- The field of 256 elements, of the polynomial x^8 + x^4 + x^3 + x^2 + 1 */

static uint8_t times(uint8_t a, uint8_t b)
{
    unsigned product = 0;
    for (unsigned i = 0; i < 8; i++)
        if (b >> i & 1)
            product ^= (unsigned)a << i;
    for (unsigned i = 15; i >= 8; i--)
        if (product >> i & 1)
            product ^= 0x11du << (i - 8);
    return (uint8_t)product;
}

/* ---- One code: the remainder of the data by a polynomial that has x^0, x^1, ... as its roots */

struct generator {
    unsigned degree;
    uint8_t times[REDUNDANCY_BLOCK][256]; /* [i][f]: coefficient i, from the highest but one on, times f */
};

static void generator_make(struct generator *g, unsigned degree)
{
    uint8_t polynomial[REDUNDANCY_BLOCK + 1] = {1}, root = 1;
    for (unsigned n = 1; n <= degree; n++, root = times(root, 2))
        for (unsigned i = n; i > 0; i--)
            polynomial[i] ^= times(polynomial[i - 1], root);
    g->degree = degree;
    for (unsigned i = 0; i < degree; i++)
        for (unsigned f = 0; f < 256; f++)
            g->times[i][f] = times(polynomial[i + 1], (uint8_t)f);
}

/* Data and code are columns: their bytes are a sector apart. */
static void encode_column(const struct generator *g, const uint8_t *data, unsigned count, uint8_t *code)
{
    uint8_t rest[REDUNDANCY_BLOCK + 1] = {0};
    for (unsigned k = 0; k < count; k++) {
        uint8_t f = rest[0] ^ data[k * REDUNDANCY_SECTOR];
        memmove(rest, rest + 1, g->degree);
        for (unsigned i = 0; i < g->degree; i++)
            rest[i] ^= g->times[i][f];
    }
    for (unsigned i = 0; i < g->degree; i++)
        code[i * REDUNDANCY_SECTOR] = rest[i];
}

/* How many bytes of `size` are in a column? */
static unsigned column(size_t size, unsigned which)
{
    return (unsigned)((size + REDUNDANCY_SECTOR - 1 - which) / REDUNDANCY_SECTOR);
}

static void encode_block(const uint8_t *data, size_t size, uint8_t *code, size_t room)
{
    static struct generator g;
    g.degree = 0;
    for (unsigned i = 0; i < REDUNDANCY_SECTOR; i++) {
        if (column(room, i) != g.degree)
            generator_make(&g, column(room, i));
        encode_column(&g, data + i, column(size, i), code + i);
    }
}

/* The first block of what is left, in whole sectors: GRUB divides an image that is longer than one block like this. */
static void divide(size_t size, size_t room, size_t *part, size_t *share)
{
    size_t both = size + room;
    bool last = both <= REDUNDANCY_BLOCK * REDUNDANCY_SECTOR;
    *part = last ? size : size * REDUNDANCY_BLOCK / both * REDUNDANCY_SECTOR;
    *share = last ? room : room * REDUNDANCY_BLOCK / both * REDUNDANCY_SECTOR;
}

/* The least code of any block, in whole sectors. */
static size_t weakest(size_t size, size_t room)
{
    size_t least = room, part, share;
    for (; size; size -= part, room -= share) {
        divide(size, room, &part, &share);
        least = share < least ? share : least;
    }
    return least / REDUNDANCY_SECTOR;
}

/* The room for which the weakest block is the strongest, up to a fifth: a short last block would have next to none. */
static size_t best_room(size_t size, size_t before)
{
    size_t first = REDUNDANCY_SECTOR - before % REDUNDANCY_SECTOR, best = first;
    for (size_t room = first; room <= size / 5; room += REDUNDANCY_SECTOR)
        if (weakest(size, room) > weakest(size, best))
            best = room;
    return best;
}

static void encode(const uint8_t *data, size_t size, uint8_t *code, size_t room)
{
    while (size) {
        size_t part, share;
        divide(size, room, &part, &share);
        encode_block(data, part, code, share);
        data += part;
        code += share;
        size -= part;
        room -= share;
    }
}

/* ---- GRUB's image */

/* Fields at the begin of its startup code (as GRUB's sources name them: offsets); on a disk a list of blocks is before
 * it. */
#define REDUNDANCY_BYTES 0x10
#define UNPROTECTED_BYTES 0x14
#define LIST_SECTORS 0x1fc

static uint32_t get(const uint8_t *at, unsigned bytes)
{
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint32_t)at[i] << 8 * i;
    return value;
}

static void put(uint8_t *at, unsigned bytes, uint32_t value)
{
    for (unsigned i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

size_t redundancy_add(uint8_t *image, size_t size, size_t head)
{
    uint8_t *startup = image + head;
    if (size < head + 0x18)
        return 0;
    size_t open = get(startup + UNPROTECTED_BYTES, 2);
    if (get(startup + REDUNDANCY_BYTES, 4) != 0 || open < 0x18 || open > size - head)
        return 0;
    size_t room = best_room(size - head - open, size), whole = size + room;
    put(startup + REDUNDANCY_BYTES, 4, (uint32_t)room);
    if (head == REDUNDANCY_SECTOR)
        put(image + LIST_SECTORS, 2, (uint32_t)(whole / REDUNDANCY_SECTOR) - 1);
    encode(startup + open, size - head - open, image + size, room);
    return whole;
}
