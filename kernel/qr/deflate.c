/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compresses a text as "deflate" (RFC 1951), in one block with the fixed codes: small enough for a few QR codes, and
 * readable by any zlib.
 */
#include "kernel/qr/qr.h"
#include "kernel/text/text.h"

#define MATCH_MIN 3
#define MATCH_MAX 258
#define END_OF_BLOCK 256

struct writer {
    u8 *bytes;
    size_t room, used; /* used: in bits */
};

/* Writes the least significant bit first; bits beyond the room are only counted. */
static void put(struct writer *writer, unsigned value, unsigned count)
{
    for (; count--; value >>= 1, writer->used++) {
        if (writer->used / 8 >= writer->room)
            continue;
        if (writer->used % 8 == 0)
            writer->bytes[writer->used / 8] = 0;
        writer->bytes[writer->used / 8] |= (u8)((value & 1) << writer->used % 8);
    }
}

/* Huffman codes are written with the most significant bit first. */
static void put_code(struct writer *writer, unsigned code, unsigned count)
{
    while (count--)
        put(writer, code >> count & 1, 1);
}

/* RFC 1951, "Compression with fixed Huffman codes". */
static void put_symbol(struct writer *writer, unsigned symbol)
{
    if (symbol < 144)
        put_code(writer, 0x30 + symbol, 8);
    else if (symbol < 256)
        put_code(writer, 0x190 + symbol - 144, 9);
    else if (symbol < 280)
        put_code(writer, symbol - 256, 7);
    else
        put_code(writer, 0xc0 + symbol - 280, 8);
}

/*
 * Lengths from 3 and distances from 1 have codes for ranges of values: at first one value per code, then, after every
 * `per_size` codes, twice as many. *extra: the bits that select a value within the range; *first: its first value.
 */
static unsigned range_code(unsigned value, unsigned per_size, unsigned *extra, unsigned *first)
{
    unsigned code = 0, size = 1;
    *first = 0;
    while (value >= *first + size) {
        *first += size;
        code++;
        if (code >= 2 * per_size && code % per_size == 0)
            size *= 2;
    }
    *extra = 0;
    while (size >> (*extra + 1))
        (*extra)++;
    return code;
}

static void put_match(struct writer *writer, unsigned length, unsigned distance)
{
    unsigned extra, first, code = range_code(length - MATCH_MIN, 4, &extra, &first);
    /* The greatest length has a code of its own. */
    if (length == MATCH_MAX) {
        put_symbol(writer, 285);
    } else {
        put_symbol(writer, 257 + code);
        put(writer, length - MATCH_MIN - first, extra);
    }
    code = range_code(distance - 1, 2, &extra, &first);
    put_code(writer, code, 5);
    put(writer, distance - 1 - first, extra);
}

/* The longest earlier piece that equals the text at `at`; of several the nearest. */
static unsigned find_match(const char *text, size_t at, size_t end, unsigned *distance)
{
    unsigned longest = 0, most = end - at < MATCH_MAX ? (unsigned)(end - at) : MATCH_MAX;
    for (size_t back = 1; back <= at && longest < most; back++) {
        const char *before = text + at - back;
        unsigned length = 0;
        if (*before != text[at] || before[longest] != text[at + longest])
            continue;
        while (length < most && before[length] == text[at + length])
            length++;
        if (length > longest) {
            longest = length;
            *distance = (unsigned)back;
        }
    }
    return longest;
}

size_t deflate_text(u8 *out, size_t room, const char *dictionary, const char *text, size_t length)
{
    static char all[DEFLATE_TEXT_MAX + 1];
    struct writer writer = {out, room, 0};
    size_t at = strlen(dictionary), end = at + length;
    unsigned distance = 0;
    if (end > DEFLATE_TEXT_MAX)
        return 0;
    memcpy(all, dictionary, at);
    memcpy(all + at, text, length);
    put(&writer, 1, 1); /* this is the last block */
    put(&writer, 1, 2); /* it uses the fixed codes */
    while (at < end) {
        unsigned match = find_match(all, at, end, &distance);
        if (match >= MATCH_MIN)
            put_match(&writer, match, distance);
        else
            put_symbol(&writer, (u8)all[at]);
        at += match >= MATCH_MIN ? match : 1;
    }
    put_symbol(&writer, END_OF_BLOCK);
    size_t bytes = (writer.used + 7) / 8;
    return bytes <= room ? bytes : 0;
}
