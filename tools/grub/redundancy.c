#include "tools/grub/redundancy.h"
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

/* In whole sectors, as GRUB divides an image that is longer than one block. */
static void encode(const uint8_t *data, size_t size, uint8_t *code, size_t room)
{
    while (size) {
        size_t both = size + room, part = size, share = room;
        if (both > REDUNDANCY_BLOCK * REDUNDANCY_SECTOR) {
            part = size * REDUNDANCY_BLOCK / both * REDUNDANCY_SECTOR;
            share = room * REDUNDANCY_BLOCK / both * REDUNDANCY_SECTOR;
        }
        encode_block(data, part, code, share);
        data += part;
        code += share;
        size -= part;
        room -= share;
    }
}

/* ---- GRUB's image */

/* Fields at the begin of its startup code (GRUB's grub/offsets.h); on a disk a list of blocks is before it. */
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

size_t redundancy_size(size_t size)
{
    return (size + size / 10 + REDUNDANCY_SECTOR - 1) / REDUNDANCY_SECTOR * REDUNDANCY_SECTOR;
}

bool redundancy_add(uint8_t *image, size_t size, size_t head)
{
    size_t whole = redundancy_size(size);
    uint8_t *startup = image + head;
    if (size < head + 0x18)
        return false;
    size_t open = get(startup + UNPROTECTED_BYTES, 2);
    if (get(startup + REDUNDANCY_BYTES, 4) != 0 || open < 0x18 || open > size - head)
        return false;
    put(startup + REDUNDANCY_BYTES, 4, (uint32_t)(whole - size));
    if (head == REDUNDANCY_SECTOR)
        put(image + LIST_SECTORS, 2, (uint32_t)(whole / REDUNDANCY_SECTOR) - 1);
    encode(startup + open, size - head - open, image + size, whole - size);
    return true;
}
