/* A console font in PSF format, version 1 or 2, as Linux distributions ship it. Pure. */
#pragma once

#include "boot/bits.h"

struct font {
    u32 height;        /* rows of a glyph; each is one byte, leftmost pixel in bit 7 */
    const u8 *glyphs;  /* of height bytes each */
    u16 glyph_of[128]; /* which glyph shows an ASCII character */
};

/* Reads a font of 8 pixels width. False if it is broken or of another width. */
bool psf_parse(const u8 *data, size_t size, struct font *font);
/* Row y of a character's glyph; what is not ASCII shows as '?'. */
u8 font_row(const struct font *font, u8 character, u32 y);
