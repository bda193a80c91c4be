/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads a screen of pmucheck back as text: from a QEMU screendump (a PPM of the framebuffer), by the image's console
 * font, or from a dump of VGA text memory (80 x 25 words). Block and line characters are printed as Unicode's, a cell
 * that matches no character as '?'.
 *
 * usage: screen-text FONT.psf SCREEN
 */
#include "kernel/screen/screen.h"
#include "tools/text_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_COLUMNS 80
#define TEXT_ROWS 25

struct picture {
    unsigned width, height;
    const u8 *pixels; /* three bytes each */
};

static const struct {
    u8 code;
    const char *text;
} blocks[] = {
    {BLOCK_FULL, "\xe2\x96\x88"},
    {BLOCK_LOWER, "\xe2\x96\x84"},
    {BLOCK_UPPER, "\xe2\x96\x80"},
    {LINE_HORIZONTAL, "\xe2\x94\x80"},
};

static const char *utf8(u8 code)
{
    static char ascii[2];
    for_each_row (blocks, row)
        if (row->code == code)
            return row->text;
    ascii[0] = code >= ' ' && code < 0x7f ? (char)code : '?';
    return ascii;
}

/* Prints a row without the blanks at its end. */
static void print_row(const u8 *row, unsigned columns)
{
    while (columns > 0 && (row[columns - 1] == ' ' || row[columns - 1] == 0))
        columns--;
    for (unsigned i = 0; i < columns; i++)
        fputs(utf8(row[i] ? row[i] : ' '), stdout);
    putchar('\n');
}

/* ---- VGA text memory: words of character and colour. */

static void print_text_mode(const u8 *memory)
{
    u8 row[TEXT_COLUMNS];
    for (unsigned y = 0; y < TEXT_ROWS; y++) {
        for (unsigned x = 0; x < TEXT_COLUMNS; x++)
            row[x] = memory[2 * (y * TEXT_COLUMNS + x)];
        print_row(row, TEXT_COLUMNS);
    }
}

/* ---- A picture. */

static u32 pixel(const struct picture *p, unsigned x, unsigned y)
{
    const u8 *at = p->pixels + 3 * ((size_t)y * p->width + x);
    return (u32)at[0] << 16 | (u32)at[1] << 8 | at[2];
}

/* Where a cell's corner is. */
struct place {
    unsigned x, y;
};

static struct place corner(const struct picture *p, const struct geometry *g, unsigned column, unsigned row)
{
    return (struct place){(p->width - g->columns * g->cell_width) / 2 + column * g->cell_width,
                          (p->height - g->rows * g->cell_height) / 2 + row * g->cell_height};
}

/* A row's background: the most common colour of its cells' corners, which no glyph reaches. */
static u32 background(const struct picture *p, const struct geometry *g, unsigned row)
{
    u32 best = 0;
    unsigned most = 0;
    for (unsigned i = 0; i < g->columns; i++) {
        struct place a = corner(p, g, i, row);
        unsigned same = 0;
        for (unsigned k = 0; k < g->columns; k++) {
            struct place b = corner(p, g, k, row);
            same += pixel(p, b.x, b.y) == pixel(p, a.x, a.y);
        }
        if (same > most) {
            most = same;
            best = pixel(p, a.x, a.y);
        }
    }
    return best;
}

/* Does this character set the pixel (x, y) of its cell? */
static bool expected(const struct font *font, const struct geometry *g, u8 code, unsigned x, unsigned y)
{
    unsigned left = (g->cell_width - 8 * g->scale) / 2, top = (g->cell_height - font->height * g->scale) / 2;
    unsigned middle = g->cell_height / 2;
    switch (code) {
    case BLOCK_FULL:
        return true;
    case BLOCK_UPPER:
        return y < middle;
    case BLOCK_LOWER:
        return y >= middle;
    case LINE_HORIZONTAL:
        return y >= middle && y < middle + g->scale;
    default:
        if (x < left || y < top || (x - left) / g->scale > 7)
            return false;
        return font_row(font, code, (y - top) / g->scale) << ((x - left) / g->scale) & 0x80;
    }
}

static bool shows(const struct picture *p, const struct geometry *g, const struct font *font, struct place at, u8 code,
                  u32 off)
{
    for (unsigned y = 0; y < g->cell_height; y++)
        for (unsigned x = 0; x < g->cell_width; x++)
            if ((pixel(p, at.x + x, at.y + y) != off) != expected(font, g, code, x, y))
                return false;
    return true;
}

static u8 read_cell(const struct picture *p, const struct geometry *g, const struct font *font, struct place at,
                    u32 off)
{
    for (u8 code = ' '; code < 0x7f; code++)
        if (shows(p, g, font, at, code, off))
            return code;
    for_each_row (blocks, row)
        if (shows(p, g, font, at, row->code, off))
            return row->code;
    return 0xff;
}

static void print_picture(const struct picture *p, const struct geometry *g, const struct font *font)
{
    u8 cells[LAYOUT_COLUMNS_MAX];
    for (unsigned row = 0; row < g->rows; row++) {
        u32 off = background(p, g, row);
        for (unsigned column = 0; column < g->columns; column++)
            cells[column] = read_cell(p, g, font, corner(p, g, column, row), off);
        print_row(cells, g->columns);
    }
}

static bool read_picture(const char *data, size_t size, struct picture *p)
{
    unsigned most;
    int head = 0;
    if (sscanf(data, "P6 %u %u %u%n", &p->width, &p->height, &most, &head) != 3 || most != 255 ||
        size < (size_t)head + 1 + (size_t)p->width * p->height * 3)
        return false;
    p->pixels = (const u8 *)data + head + 1;
    return true;
}

int main(int argc, char **argv)
{
    size_t font_size, size;
    struct font font;
    struct picture picture;
    struct geometry geometry;
    char *font_data = argc == 3 ? text_file_read(argv[0], argv[1], &font_size) : NULL;
    char *data = font_data ? text_file_read(argv[0], argv[2], &size) : NULL;
    if (!data || !psf_parse((const u8 *)font_data, font_size, &font)) {
        fprintf(stderr, "usage: screen-text FONT.psf SCREEN\n");
        return 2;
    }
    if (size == 2 * TEXT_COLUMNS * TEXT_ROWS) {
        print_text_mode((const u8 *)data);
    } else if (read_picture(data, size, &picture) &&
               layout_geometry(picture.width, picture.height, font.height, &geometry)) {
        print_picture(&picture, &geometry, &font);
    } else {
        fprintf(stderr, "screen-text: %s is neither a picture (PPM) of a screen nor text memory\n", argv[2]);
        return 2;
    }
    free(data);
    free(font_data);
    return 0;
}
