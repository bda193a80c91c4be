/* SPDX-License-Identifier: BSD-2-Clause */
/* Codes fit into every possible screen, and a reader gets the text back from its cells or pixels. */
#include "kernel/screen/screen.h"
#include "tests/host/case.h"
#include "tools/pmucheck/scan/scan.h"

#include <stdlib.h>
#include <string.h>

#include <zbar.h>

#define CELL_WIDTH 9 /* VGA text mode's */
#define CELL_HEIGHT 16

static struct layout layout;
static struct qr qr;
static struct pages pages;
static struct qr_series results;
static struct scan scan;
static u8 pixels[2000 * 1300];

static struct screen_size framebuffer(u32 width, u32 height)
{
    struct geometry geometry;
    if (!layout_geometry(width, height, 16, &geometry))
        return (struct screen_size){0};
    return (struct screen_size){geometry.columns, geometry.rows, width, height};
}

/* From the smallest screens to the largest, upright ones as well. */
CASE(codes_stand_inside_of_framebuffers)
{
    for (u32 width = 480; width <= 7680; width += 40)
        for (u32 height = 352; height <= 4320; height += 56) {
            struct screen_size size = framebuffer(width, height);
            if (!size.columns)
                continue;
            struct code_place place = screen_code_place(&size);
            assert_in_range(place.version, 6, QR_VERSION_MAX);
            u32 side = screen_code_pixels(&place, place.version) * (QR_SIZE(place.version) + 2 * QR_QUIET);
            assert_true(screen_code_pixels(&place, place.version) >= 4);
            assert_true(side <= height);
            assert_true(side <= place.column * (width / size.columns));
            assert_true(place.column + 18 <= size.columns);
        }
}

CASE(codes_stand_inside_of_text_modes)
{
    for (unsigned columns = LAYOUT_COLUMNS_MIN; columns <= LAYOUT_COLUMNS_MAX; columns++)
        for (unsigned rows = LAYOUT_ROWS_MIN; rows <= LAYOUT_ROWS_MAX; rows++) {
            struct code_place place = screen_code_place(&(struct screen_size){columns, rows, 0, 0});
            assert_in_range(place.version, 3, 14);
            assert_true(QR_SIZE(place.version) + 2 * QR_QUIET <= 2 * rows);
            assert_true(place.column + 16 <= columns);
        }
    /* The usual one. */
    assert_int_equal(screen_code_place(&(struct screen_size){80, 25, 0, 0}).version, 6);
}

/* ---- What a reader sees */

static void draw_cells(u32 width)
{
    for (unsigned row = 0; row < layout.rows; row++)
        for (unsigned column = 0; column < layout.columns; column++)
            for (unsigned y = 0; y < CELL_HEIGHT; y++) {
                u8 c = layout.cell[row][column].character;
                bool light = c == BLOCK_FULL || (c == BLOCK_UPPER && y < 8) || (c == BLOCK_LOWER && y >= 8);
                memset(pixels + (row * CELL_HEIGHT + y) * width + column * CELL_WIDTH, light ? 0xff : 0, CELL_WIDTH);
            }
}

static void draw_pixels(u32 width)
{
    u32 size = screen_code_pixels(&pages.place, qr.version), side = (qr.size + 2 * QR_QUIET) * size;
    memset(pixels, 0, sizeof(pixels));
    for (u32 y = 0; y < side; y++)
        for (u32 x = 0; x < side; x++)
            pixels[y * width + x] = qr_dark(&qr, (int)(y / size) - QR_QUIET, (int)(x / size) - QR_QUIET) ? 0 : 0xff;
}

static unsigned read_codes(u32 width, u32 height)
{
    zbar_image_scanner_t *scanner = zbar_image_scanner_create();
    zbar_image_t *image = zbar_image_create();
    unsigned ours = 0;
    zbar_image_set_format(image, zbar_fourcc('Y', '8', '0', '0'));
    zbar_image_set_size(image, width, height);
    zbar_image_set_data(image, pixels, width * height, NULL);
    zbar_scan_image(scanner, image);
    for (const zbar_symbol_t *s = zbar_image_first_symbol(image); s; s = zbar_symbol_next(s))
        ours += scan_add(&scan, zbar_symbol_get_data(s), "screen") == SCAN_TAKEN;
    zbar_image_destroy(image);
    zbar_image_scanner_destroy(scanner);
    return ours;
}

static void make(struct qr_series *series, char letter, char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        text[i] = "abcdefgh .-=0123\n"[(unsigned)rand() % 17];
    text[length] = 0;
    assert_true(qr_series_make(series, letter, text, length));
}

/* Does a row show the text? */
static bool says(const char *text)
{
    char row[LAYOUT_COLUMNS_MAX + 1];
    bool found = false;
    for (unsigned y = 0; y < layout.rows; y++) {
        for (unsigned x = 0; x < layout.columns; x++)
            row[x] = (char)layout.cell[y][x].character;
        row[layout.columns] = 0;
        found |= strstr(row, text) != NULL;
    }
    return found;
}

static void check_pages(const struct screen_size *size)
{
    static char text[801];
    struct screen_end end = {.verdict = "pass", .totals = "", .code = "7K3M-9XQA", .who = "lab-7", .results = &results};
    struct layout shown;
    const struct scan_series *more;
    u32 width = size->width ? size->width : size->columns * CELL_WIDTH;
    make(&results, QR_SERIES_RESULTS, text, 800);
    assert_true(layout_init(&shown, size->columns, size->rows));
    pages_make(&pages, &shown, NULL, size, &end);
    assert_true(pages.count > 1);
    for (unsigned page = 0; page < pages.count; page++) {
        pages_draw(&pages, page, &layout, &qr);
        assert_int_equal(qr.size != 0, page > 0);
        assert_int_equal(says("lab-7"), page > 0); /* other pages show it in their title */
        if (size->width)
            draw_pixels(width);
        else
            draw_cells(width);
        assert_int_equal(page ? read_codes(width, size->width ? size->height : size->rows * CELL_HEIGHT) : 1, 1);
    }
    assert_string_equal(scan_text(&scan, scan_find(&scan, QR_SERIES_RESULTS, &more)), text);
    scan_free(&scan);
}

CASE(a_reader_sees_all_pages)
{
    static const u32 sizes[][2] = {{640, 480}, {800, 600}, {1024, 768}, {768, 1024}, {1280, 800}, {1920, 1080}};
    check_pages(&(struct screen_size){80, 25, 0, 0});
    check_pages(&(struct screen_size){80, 30, 0, 0});
    check_pages(&(struct screen_size){100, 37, 0, 0});
    for_each_row (sizes, size) {
        struct screen_size screen = framebuffer((*size)[0], (*size)[1]);
        check_pages(&screen);
    }
}

int main(void)
{
    srand(3);
    return run_cases();
}
