/* SPDX-License-Identifier: BSD-2-Clause */
/* The codewords of a QR code: the bits of the text, then the error correction. */
#include "kernel/qr/qr.h"
#include "kernel/text/text.h"

#define MODE_ALPHANUMERIC 2
#define EC_MAX 30 /* error correction codewords of a block, at most */

/* ISO/IEC 18004, "Error correction characteristics". The remaining codewords hold data. */
static const struct {
    u8 ec;     /* error correction codewords per block */
    u8 blocks; /* blocks may differ in length by one, if the data cannot be divided evenly */
} rows[QR_VERSION_MAX][2] = {
    {{7, 1}, {10, 1}},   {{10, 1}, {16, 1}},  {{15, 1}, {26, 1}},  {{20, 1}, {18, 2}},  {{26, 1}, {24, 2}},
    {{18, 2}, {16, 4}},  {{20, 2}, {18, 4}},  {{24, 2}, {22, 4}},  {{30, 2}, {22, 5}},  {{18, 4}, {26, 5}},
    {{20, 4}, {30, 5}},  {{24, 4}, {22, 8}},  {{26, 4}, {22, 9}},  {{30, 4}, {24, 9}},  {{22, 6}, {24, 10}},
    {{24, 6}, {28, 10}}, {{28, 6}, {28, 11}}, {{30, 6}, {26, 13}}, {{28, 7}, {26, 14}}, {{28, 8}, {26, 16}},
};

static const char characters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";

/* The value of an alphanumeric character, 0 to 44; -1 for any other. */
static int value_of(char character)
{
    const char *at = character ? strchr(characters, character) : NULL;
    return at ? (int)(at - characters) : -1;
}

char qr_character(unsigned value)
{
    return characters[value % 45];
}

/* The modules outside all patterns (finders, timing, alignment, format and version) make up the codewords. */
unsigned qr_codewords(unsigned version)
{
    unsigned modules = (16 * version + 128) * version + 64, lines = version / 7 + 2;
    if (version >= 2)
        modules -= (25 * lines - 10) * lines - 55;
    if (version >= 7)
        modules -= 36;
    return modules / 8;
}

static unsigned data_codewords(unsigned version, enum qr_level level)
{
    return qr_codewords(version) - rows[version - 1][level].ec * rows[version - 1][level].blocks;
}

static unsigned count_bits(unsigned version)
{
    return version < 10 ? 9 : 11;
}

unsigned qr_capacity(unsigned version, enum qr_level level)
{
    if (version < 1 || version > QR_VERSION_MAX)
        return 0;
    unsigned bits = 8 * data_codewords(version, level) - 4 - count_bits(version);

    return bits / 11 * 2 + (bits % 11 >= 6);
}

/* ---- The text's bits */

struct bit_writer {
    u8 *bytes;
    unsigned used; /* bits */
};

static void put_bits(struct bit_writer *writer, unsigned value, unsigned count)
{
    while (count--) {
        writer->bytes[writer->used / 8] |= (u8)((value >> count & 1) << (7 - writer->used % 8));
        writer->used++;
    }
}

/* Writes two characters in eleven bits. False if one of them is not among the 45. */
static bool put_text(struct bit_writer *writer, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i += 2) {
        int first = value_of(text[i]), second = i + 1 < length ? value_of(text[i + 1]) : 0;
        if (first < 0 || second < 0)
            return false;
        if (i + 1 < length)
            put_bits(writer, (unsigned)(45 * first + second), 11);
        else
            put_bits(writer, (unsigned)first, 6);
    }
    return true;
}

static bool write_data(u8 *data, const char *text, unsigned version, enum qr_level level)
{
    struct bit_writer writer = {data, 0};
    unsigned codewords = data_codewords(version, level);
    size_t length = strlen(text);
    if (length > qr_capacity(version, level))
        return false;
    memset(data, 0, codewords);
    put_bits(&writer, MODE_ALPHANUMERIC, 4);
    put_bits(&writer, (unsigned)length, count_bits(version));
    if (!put_text(&writer, text, length))
        return false;
    /* A terminator of four zero bits, if there is room; then zeros up to a byte, then two padding bytes in turn. */
    unsigned used = (writer.used + 4 + 7) / 8;
    for (unsigned i = used; i < codewords; i++)
        data[i] = (i - used) % 2 ? 0x11 : 0xec;
    return true;
}

/* ---- Error correction: Reed-Solomon over GF(256), polynomial 11DH. */

static u8 multiply(u8 a, u8 b)
{
    unsigned product = 0;
    for (int bit = 7; bit >= 0; bit--) {
        product = product << 1 ^ (product >> 7) * 0x11d;
        product ^= (b >> bit & 1) * a;
    }
    return (u8)product;
}

/* The product of (x - 2^i) for all i below degree; its leading 1 is not stored. */
static void make_generator(u8 *generator, unsigned degree)
{
    u8 root = 1;
    memset(generator, 0, degree);
    generator[degree - 1] = 1;
    for (unsigned i = 0; i < degree; i++) {
        for (unsigned k = 0; k < degree; k++)
            generator[k] = multiply(generator[k], root) ^ (k + 1 < degree ? generator[k + 1] : 0);
        root = multiply(root, 2);
    }
}

/* The remainder of the data divided by the generator: the block's error correction codewords. */
static void correct(u8 *remainder, const u8 *data, unsigned length, const u8 *generator, unsigned degree)
{
    memset(remainder, 0, degree);
    for (unsigned i = 0; i < length; i++) {
        u8 factor = data[i] ^ remainder[0];
        memmove(remainder, remainder + 1, degree - 1);
        remainder[degree - 1] = 0;
        for (unsigned k = 0; k < degree; k++)
            remainder[k] ^= multiply(generator[k], factor);
    }
}

/* ---- Blocks are interleaved: the first codeword of each, then the second of each, ... The last may be one longer. */

bool qr_codewords_of(u8 *codewords, const char *text, unsigned version, enum qr_level level)
{
    static u8 data[QR_CODEWORDS_MAX];
    u8 generator[EC_MAX], remainder[EC_MAX];
    if (!qr_capacity(version, level) || !write_data(data, text, version, level))
        return false;
    unsigned blocks = rows[version - 1][level].blocks, ec = rows[version - 1][level].ec;
    unsigned all = data_codewords(version, level), shorter = all / blocks, longer = all % blocks;
    const u8 *from = data;

    make_generator(generator, ec);
    for (unsigned block = 0; block < blocks; block++) {
        bool extra = block >= blocks - longer;
        unsigned length = shorter + extra;
        for (unsigned i = 0; i < shorter; i++)
            codewords[i * blocks + block] = from[i];
        if (extra)
            codewords[shorter * blocks + block - (blocks - longer)] = from[shorter];
        correct(remainder, from, length, generator, ec);
        for (unsigned i = 0; i < ec; i++)
            codewords[all + i * blocks + block] = remainder[i];
        from += length;
    }
    return true;
}
