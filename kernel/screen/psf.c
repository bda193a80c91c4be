/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PSF: a header, the glyphs in any order, and optionally, for each glyph, the list of characters that it stands for:
 * 16-bit numbers in version 1, UTF-8 in version 2. In both, all ones end a list, and the number one below begins
 * sequences of several characters, which are not used here.
 */
#include "boot/bytes.h"
#include "kernel/screen/screen.h"

#define PSF1_MAGIC 0x0436
#define PSF1_512_GLYPHS 0x01
#define PSF1_UNICODE 0x06
#define PSF1_HEADER 4
#define PSF2_MAGIC 0x864ab572
#define PSF2_UNICODE 0x01
#define PSF2_HEADER 32

struct psf_layout {
    size_t glyphs;
    u32 count, height;
    bool unicode;
    unsigned unit; /* bytes of a number in the list of characters */
};

static bool read_header(const u8 *data, size_t size, struct psf_layout *layout)
{
    if (size >= PSF1_HEADER && bytes_get(data, 2) == PSF1_MAGIC) {
        *layout =
            (struct psf_layout){PSF1_HEADER, data[2] & PSF1_512_GLYPHS ? 512 : 256, data[3], data[2] & PSF1_UNICODE, 2};
        return true;
    }
    if (size >= PSF2_HEADER && bytes_get32(data) == PSF2_MAGIC) {
        *layout = (struct psf_layout){bytes_get32(data + 8), bytes_get32(data + 16), bytes_get32(data + 24),
                                      bytes_get32(data + 12) & PSF2_UNICODE, 1};
        return bytes_get32(data + 28) == 8 && bytes_get32(data + 20) == layout->height;
    }
    return false;
}

/* Maps ASCII by the lists after the glyphs. Bytes of longer UTF-8 characters are above 7FH and are skipped. */
static void read_characters(const u8 *at, const u8 *end, const struct psf_layout *layout, struct font *font)
{
    u32 all_ones = layout->unit == 2 ? 0xffff : 0xff, glyph = 0;
    bool sequence = false;
    for (; (size_t)(end - at) >= layout->unit && glyph < layout->count; at += layout->unit) {
        u32 number = (u32)bytes_get(at, layout->unit);
        if (number == all_ones) {
            glyph++;
            sequence = false;
        } else if (number == all_ones - 1) {
            sequence = true;
        } else if (number < ARRAY_SIZE(font->glyph_of) && !sequence) {
            font->glyph_of[number] = (u16)glyph;
        }
    }
}

bool psf_parse(const u8 *data, size_t size, struct font *font)
{
    struct psf_layout layout;
    if (!read_header(data, size, &layout) || !layout.height || layout.height > 64 || layout.count < 128 ||
        layout.count > 0xffff || layout.glyphs > size || (u64)layout.count * layout.height > size - layout.glyphs)
        return false;
    font->height = layout.height;
    font->glyphs = data + layout.glyphs;
    for (u16 i = 0; i < ARRAY_SIZE(font->glyph_of); i++)
        font->glyph_of[i] = i;
    if (layout.unicode)
        read_characters(font->glyphs + layout.count * layout.height, data + size, &layout, font);
    return true;
}

u8 font_row(const struct font *font, u8 character, u32 y)
{
    u16 glyph = font->glyph_of[character < ARRAY_SIZE(font->glyph_of) ? character : '?'];
    return y < font->height ? font->glyphs[glyph * font->height + y] : 0;
}
