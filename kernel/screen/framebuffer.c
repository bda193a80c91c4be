/* SPDX-License-Identifier: BSD-2-Clause */
/* A linear framebuffer, mapped write-combining: it is never read, and a cell is written only when it changes. */
#include "kernel/core/memory.h"
#include "kernel/screen/screen.h"
#include "kernel/text/text.h"

#define TYPE_RGB 1
#define SIDE_MAX 16384 /* pixels; a larger number is a mistake */

/* VGA's 16 colours, red in bits 23:16. */
static const u32 palette[16] = {
    0x000000, 0x0000a8, 0x008000, 0x00a8a8, 0xa80000, 0xa800a8, 0xa85400, 0xc0c0c0,
    0x707070, 0x5454fc, 0x54fc54, 0x54fcfc, 0xfc5454, 0xfc54fc, 0xfcfc54, 0xffffff,
};

static struct boot_framebuffer target;
static struct geometry geometry;
static const struct font *glyphs;
static u32 margin_x, margin_y; /* pixels that the cells do not cover, half of them on each side */
static u32 native[16];         /* the palette in the framebuffer's own format */

/* Takes the number at *text, which must be followed by `end`, and moves *text past both. */
static bool take(const char **text, char end, u64 most, u64 *number)
{
    const char *next = number_parse(*text, number);
    if (!next || *next != end || *number > most)
        return false;
    *text = end ? next + 1 : next;
    return true;
}

bool framebuffer_parse(const char *text, struct boot_framebuffer *framebuffer)
{
    u64 address, width, height, pitch;
    if (!take(&text, ',', ~0ull, &address) || !take(&text, 'x', SIDE_MAX, &width) ||
        !take(&text, ',', SIDE_MAX, &height) || !take(&text, 0, 8 * SIDE_MAX, &pitch))
        return false;
    *framebuffer = (struct boot_framebuffer){.present = true,
                                             .address = address,
                                             .pitch = (u32)pitch,
                                             .width = (u32)width,
                                             .height = (u32)height,
                                             .depth = 32,
                                             .type = TYPE_RGB,
                                             .red_position = 16,
                                             .red_size = 8,
                                             .green_position = 8,
                                             .green_size = 8,
                                             .blue_size = 8};
    return true;
}

static u32 place(u32 component, u8 position, u8 size)
{
    return (size < 8 ? component >> (8 - size) : component << (size - 8)) << position;
}

static u32 to_native(u32 rgb)
{
    return place(rgb >> 16 & 0xff, target.red_position, target.red_size) |
           place(rgb >> 8 & 0xff, target.green_position, target.green_size) |
           place(rgb & 0xff, target.blue_position, target.blue_size);
}

static void put_pixel(u8 *at, u32 value)
{
    if (target.depth == 32) {
        *(volatile u32 *)at = value;
    } else {
        ((volatile u8 *)at)[0] = (u8)value;
        ((volatile u8 *)at)[1] = (u8)(value >> 8);
        ((volatile u8 *)at)[2] = (u8)(value >> 16);
    }
}

/* Blocks and lines fill their cell to its edges, whatever the glyph's size; false for other characters. */
static bool block_row(u8 character, u32 y, bool *set)
{
    u32 height = geometry.cell_height;
    if (character == BLOCK_FULL)
        *set = true;
    else if (character == BLOCK_UPPER)
        *set = y < height / 2;
    else if (character == BLOCK_LOWER)
        *set = y >= height / 2;
    else if (character == LINE_HORIZONTAL)
        *set = y >= height / 2 && y < height / 2 + geometry.scale;
    else
        return false;
    return true;
}

static void draw_row(u8 *at, u32 y, struct screen_cell cell)
{
    u32 scale = geometry.scale, left = (geometry.cell_width - 8 * scale) / 2;
    u32 top = (geometry.cell_height - glyphs->height * scale) / 2, bits = 0;
    u32 on = native[cell.colour & 15], off = native[cell.colour >> 4 & 7];
    bool set = false, block = block_row(cell.character, y, &set);
    if (!block && y >= top)
        bits = font_row(glyphs, cell.character, (y - top) / scale);
    for (u32 x = 0; x < geometry.cell_width; x++) {
        if (!block)
            set = x >= left && (x - left) / scale < 8 && bits << ((x - left) / scale) & 0x80;
        put_pixel(at + x * (target.depth / 8), set ? on : off);
    }
}

static void draw(unsigned column, unsigned row, struct screen_cell cell)
{
    u8 *at = (u8 *)target.address + (u64)(margin_y + row * geometry.cell_height) * target.pitch +
             (margin_x + column * geometry.cell_width) * (target.depth / 8);

    for (u32 y = 0; y < geometry.cell_height; y++)
        draw_row(at + (u64)y * target.pitch, y, cell);
}

static void fill(u32 x, u32 y, u32 width, u32 height, u8 colour)
{
    for (u32 row = y; row < y + height; row++)
        for (u32 column = x; column < x + width; column++)
            put_pixel((u8 *)target.address + (u64)row * target.pitch + column * (target.depth / 8),
                      native[colour & 15]);
}

static bool usable(const struct boot_framebuffer *f)
{
    return f->present && f->type == TYPE_RGB && (f->depth == 24 || f->depth == 32) && f->address &&
           f->width <= SIDE_MAX && f->height <= SIDE_MAX && f->pitch >= f->width * (f->depth / 8) &&
           f->pitch <= SIDE_MAX * 8 && f->red_size <= 16 && f->green_size <= 16 && f->blue_size <= 16 &&
           f->red_position < 32 && f->green_position < 32 && f->blue_position < 32;
}

static u64 size(void)
{
    return (u64)target.pitch * target.height;
}

static bool map(void)
{
    return memory_map(target.address, size(), MEMORY_FRAMEBUFFER);
}

bool framebuffer_open(const struct boot_framebuffer *framebuffer, const struct font *font, struct display *display)
{
    target = *framebuffer;
    if (!usable(framebuffer) || !layout_geometry(framebuffer->width, framebuffer->height, font->height, &geometry) ||
        !map())
        return false;
    glyphs = font;
    margin_x = (target.width - geometry.columns * geometry.cell_width) / 2;
    margin_y = (target.height - geometry.rows * geometry.cell_height) / 2;
    for (unsigned i = 0; i < ARRAY_SIZE(palette); i++)
        native[i] = to_native(palette[i]);
    memset((void *)target.address, 0, size());
    *display = (struct display){geometry.columns, geometry.rows, target.width, target.height, draw, fill, map};
    return true;
}
