/* SPDX-License-Identifier: BSD-2-Clause */
/* Drawing into a framebuffer, by a console font. */
#include "kernel/core/memory.h"
#include "kernel/screen/screen.h"
#include "tests/host/case.h"
#include <stdlib.h>
#include <string.h>

/* Draws into ordinary memory of exactly the framebuffer's size, so that the sanitiser sees every pixel outside. */

void *memory_map(u64 physical, u64 length, enum memory_kind kind)
{
    (void)length;
    assert_int_equal(kind, MEMORY_FRAMEBUFFER);
    return (void *)physical;
}

static u8 glyphs[128 * 16];
static const struct font drawn = {.height = 16, .glyphs = glyphs};

static struct boot_framebuffer make(u32 width, u32 height, u8 depth, u32 padding)
{
    struct boot_framebuffer f = {.present = true, .width = width, .height = height, .depth = depth, .type = 1};
    f.pitch = width * (depth / 8) + padding;
    f.address = (u64)malloc((size_t)f.pitch * height);
    f.red_position = 16;
    f.green_position = 8;
    f.red_size = f.green_size = f.blue_size = 8;
    return f;
}

CASE(every_cell_is_drawn_inside)
{
    static const struct {
        u32 width, height, padding;
        u8 depth;
    } rows[] = {{640, 480, 0, 32}, {1024, 768, 64, 32}, {1366, 768, 2, 24}, {1280, 801, 0, 24}, {2560, 1440, 0, 32}};
    for_each_row (rows, row) {
        struct boot_framebuffer f = make(row->width, row->height, row->depth, row->padding);
        struct display display;
        assert_true(framebuffer_open(&f, &drawn, &display));
        for (unsigned y = 0; y < display.rows; y++)
            for (unsigned x = 0; x < display.columns; x++)
                display.draw(x, y, (struct screen_cell){BLOCK_FULL, COLOUR(WHITE, BLACK)});
        /* The middle of the screen is white now, and the corners outside all cells are unchanged: black or white. */
        assert_int_equal(((u8 *)f.address)[(u64)f.pitch * (f.height / 2) + f.width / 2 * (f.depth / 8)], 0xff);
        free((void *)f.address);
    }
}

CASE(glyphs_are_scaled_and_coloured)
{
    struct boot_framebuffer f = make(1280, 800, 32, 0); /* scale 2, cells 16 x 32 */
    struct display display;
    const u32 *pixels = (const u32 *)f.address;
    memset(glyphs, 0, sizeof(glyphs));
    glyphs[0] = 0x40; /* every character is glyph 0 here */
    assert_true(framebuffer_open(&f, &drawn, &display));
    display.draw(1, 0, (struct screen_cell){'A', COLOUR(WHITE, BLUE)});
    assert_int_equal(pixels[16], 0x0000a8);
    assert_int_equal(pixels[18], 0xffffff);
    assert_int_equal(pixels[19 + 1280], 0xffffff);
    assert_int_equal(pixels[20], 0x0000a8);
    assert_int_equal(pixels[18 + 2 * 1280], 0x0000a8);
    assert_int_equal(pixels[15], 0);
    display.draw(1, 0, (struct screen_cell){BLOCK_LOWER, COLOUR(WHITE, BLUE)});
    assert_int_equal(pixels[16 + 15 * 1280], 0x0000a8);
    assert_int_equal(pixels[16 + 16 * 1280], 0xffffff);
    free((void *)f.address);
}

CASE(rectangles_are_filled)
{
    struct boot_framebuffer f = make(640, 480, 24, 6);
    struct display display;
    const u8 *bytes = (const u8 *)f.address;
    assert_true(framebuffer_open(&f, &drawn, &display));
    assert_int_equal(display.width, 640);
    assert_int_equal(display.height, 480);
    display.fill(637, 478, 3, 2, BLUE);
    assert_int_equal(bytes[479 * f.pitch + 639 * 3], 0xa8);
    assert_int_equal(bytes[478 * f.pitch + 637 * 3], 0xa8);
    assert_int_equal(bytes[478 * f.pitch + 636 * 3], 0);
    assert_int_equal(bytes[477 * f.pitch + 637 * 3], 0);
    free((void *)f.address);
}

CASE(other_pixel_formats)
{
    struct boot_framebuffer f = make(640, 480, 32, 0);
    struct display display;
    f.red_position = 20; /* 10 bits a colour */
    f.green_position = 10;
    f.red_size = f.green_size = f.blue_size = 10;
    assert_true(framebuffer_open(&f, &drawn, &display));
    display.draw(0, 0, (struct screen_cell){BLOCK_FULL, COLOUR(WHITE, BLACK)});
    assert_int_equal(*(const u32 *)f.address, 0x3fcu << 20 | 0x3fcu << 10 | 0x3fcu);
    free((void *)f.address);
}

CASE(what_cannot_be_drawn_on)
{
    struct boot_framebuffer good = make(640, 480, 32, 0), bad;
    struct display display;
#define REFUSED(change)                                         \
    do {                                                        \
        bad = good;                                             \
        change;                                                 \
        assert_false(framebuffer_open(&bad, &drawn, &display)); \
    } while (0)
    REFUSED(bad.present = false);
    REFUSED(bad.type = 0);
    REFUSED(bad.type = 2);
    REFUSED(bad.depth = 16);
    REFUSED(bad.address = 0);
    REFUSED(bad.pitch = 640 * 4 - 1);
    REFUSED(bad.width = 0);
    REFUSED(bad.height = 0);
    REFUSED(bad.height = 0xffffffff);
    REFUSED(bad.width = 320);
    REFUSED(bad.red_position = 32);
    free((void *)good.address);
}

CASE(a_text_tells_of_one)
{
    static const char *const none[] = {"",
                                       "0x80000000",
                                       "0x80000000,1280x800",
                                       "0x80000000,1280,800,5120",
                                       "0x80000000,1280x800,5120,32",
                                       "0x80000000,16385x800,5120",
                                       ",1280x800,5120"};
    struct boot_framebuffer f = {0};
    for_each_row (none, text)
        assert_false(framebuffer_parse(*text, &f) || f.present);
    assert_true(framebuffer_parse("0x4080000000,1280x800,5120", &f));
    assert_true(f.present && f.address == 0x4080000000);
    assert_int_equal(f.width, 1280);
    assert_int_equal(f.height, 800);
    assert_int_equal(f.pitch, 5120);
    assert_int_equal(f.depth, 32);
    assert_int_equal(f.red_position, 16);
    assert_int_equal(f.blue_position, 0);
}

#define GLYPHS 256
#define HEIGHT 4

/* A copy of exact size on the heap, so that the sanitiser sees every read beyond the end. */
static u8 *exact(const u8 *data, size_t size)
{
    u8 *copy = malloc(size ? size : 1);
    memcpy(copy, data, size);
    return copy;
}

static size_t psf1(u8 *file, u8 mode)
{
    memset(file, 0, 4 + GLYPHS * HEIGHT);
    file[0] = 0x36;
    file[1] = 0x04;
    file[2] = mode;
    file[3] = HEIGHT;
    file[4 + 7 * HEIGHT + 1] = 0x81; /* second row of glyph 7 */
    return 4 + GLYPHS * HEIGHT;
}

CASE(version_1_without_a_table_is_in_order)
{
    u8 file[4096];
    size_t size = psf1(file, 0);
    u8 *data = exact(file, size);
    struct font font;
    assert_true(psf_parse(data, size, &font));
    assert_int_equal(font.height, HEIGHT);
    assert_int_equal(font_row(&font, 7, 1), 0x81);
    assert_int_equal(font_row(&font, 7, 0), 0);
    assert_int_equal(font_row(&font, 7, HEIGHT), 0);
    assert_int_equal(font_row(&font, 200, 1), font_row(&font, '?', 1));
    assert_false(psf_parse(data, size - 1, &font));
    free(data);
}

CASE(version_1_with_a_table)
{
    u8 file[4096], *data;
    size_t size = psf1(file, 2);
    struct font font;
    for (int glyph = 0; glyph < 7; glyph++) {
        file[size++] = 0xff;
        file[size++] = 0xff;
    }
    memcpy(file + size, "\x41\x00\xfe\xff\x42\x00\xff\xff\x43", 9); /* 'A', a sequence, the end, half a number */
    size += 9;
    data = exact(file, size);
    assert_true(psf_parse(data, size, &font));
    assert_int_equal(font.glyph_of['A'], 7);
    assert_int_equal(font_row(&font, 'A', 1), 0x81);
    assert_int_equal(font.glyph_of['B'], 'B');
    free(data);
}

CASE(version_2)
{
    u8 file[4096] = {0}, *data;
    static const u32 header[8] = {0x864ab572, 0, 32, 1, GLYPHS, HEIGHT, HEIGHT, 8};
    size_t size = 32 + GLYPHS * HEIGHT;
    struct font font;
    memcpy(file, header, sizeof(header));
    file[32 + 1 * HEIGHT] = 0x18;
    memcpy(file + size,
           "\xc3\xa4\xff"
           "A\xff",
           5);
    size += 5;
    data = exact(file, size);
    assert_true(psf_parse(data, size, &font));
    assert_int_equal(font_row(&font, 'A', 0), 0x18);
    data[28] = 9; /* another width */
    assert_false(psf_parse(data, size, &font));
    data[28] = 8;
    data[16] = 0xff; /* more glyphs than the file has */
    data[17] = 0xff;
    assert_false(psf_parse(data, size, &font));
    free(data);
}

CASE(what_is_no_font)
{
    struct font font;
    assert_false(psf_parse((const u8 *)"", 0, &font));
    assert_false(psf_parse((const u8 *)"\x36\x04\x00\x00", 4, &font));
    assert_false(psf_parse((const u8 *)"no font at all, but some text longer than a header", 50, &font));
}

int main(void)
{
    return run_cases();
}
