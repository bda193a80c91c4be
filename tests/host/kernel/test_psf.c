/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/screen/screen.h"
#include "tests/host/case.h"

#include <stdlib.h>
#include <string.h>

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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(version_1_without_a_table_is_in_order),
        cmocka_unit_test(version_1_with_a_table),
        cmocka_unit_test(version_2),
        cmocka_unit_test(what_is_no_font),
    };
    return cmocka_run_group_tests_name("psf", tests, NULL, NULL);
}
