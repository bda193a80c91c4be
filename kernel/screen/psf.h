/* SPDX-License-Identifier: BSD-2-Clause */
/* A console font in PSF format, version 1 or 2, as Linux distributions ship it. Pure. */
#pragma once

#include "boot/bits.h"

struct font {
    u32 height;        /* rows of a glyph; each is one byte, leftmost pixel in bit 7 */
    const u8 *glyphs;  /* `height` bytes each */
    u16 glyph_of[128]; /* the glyph of each ASCII character */
};

/* Reads a font that is 8 pixels wide. False if it is broken or has another width. */
bool psf_parse(const u8 *data, size_t size, struct font *font);
/* Row y of a character's glyph; characters outside ASCII are shown as '?'. */
u8 font_row(const struct font *font, u8 character, u32 y);
