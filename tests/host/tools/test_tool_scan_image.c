/* SPDX-License-Identifier: BSD-2-Clause */
/* Pictures of a code as PNG and JPEG, also of a camera's size; files that are no pictures, or broken. */
#include "kernel/qr/qr.h"
#include "tests/host/case.h"
#include "tools/pmucheck/scan/scan.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jpeglib.h>
#include <png.h>

#define SIDE 1200

static const char words[] = "KTAP version 1\n# machine cpus=4\n";
static char path[] = "/tmp/scan-image-XXXXXX", code[1000];
static u8 pixels[SIDE * SIDE];
static struct scan scan;

/* A code in the middle of something grey. */
static void draw(unsigned size)
{
    static struct qr_series series;
    static struct qr qr;
    assert_true(qr_series_make(&series, QR_SERIES_RESULTS, words, strlen(words)));
    qr_series_part(&series, 1, qr_capacity(5, QR_LOW), code);
    assert_true(qr_encode(&qr, code, 5, QR_LOW));
    unsigned side = (qr.size + 2 * QR_QUIET) * size, first = (SIDE - side) / 2;
    memset(pixels, 0x60, sizeof(pixels));
    for (unsigned y = 0; y < side; y++)
        for (unsigned x = 0; x < side; x++)
            pixels[(first + y) * SIDE + first + x] =
                qr_dark(&qr, (int)(y / size) - QR_QUIET, (int)(x / size) - QR_QUIET) ? 0x20 : 0xe0;
}

static void write_png(void)
{
    png_image image = {.version = PNG_IMAGE_VERSION, .width = SIDE, .height = SIDE, .format = PNG_FORMAT_GRAY};
    assert_true(png_image_write_to_file(&image, path, 0, pixels, 0, NULL));
}

static void write_jpeg(void)
{
    struct jpeg_error_mgr errors;
    struct jpeg_compress_struct jpeg = {.err = jpeg_std_error(&errors)};
    FILE *file = fopen(path, "wb");
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, file);
    jpeg.image_width = jpeg.image_height = SIDE;
    jpeg.input_components = 1;
    jpeg.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 40, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < SIDE) {
        JSAMPROW row = pixels + (size_t)jpeg.next_scanline * SIDE;
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    fclose(file);
}

static void assert_read(void)
{
    const struct scan_series *more;
    const char *error;
    assert_int_equal(scan_file(&scan, path, &error), 1);
    assert_string_equal(scan_text(&scan, scan_find(&scan, QR_SERIES_RESULTS, &more)), words);
    scan_free(&scan);
}

CASE(pictures_are_read)
{
    for (unsigned size = 3; size <= 24; size += 7) {
        draw(size);
        write_png();
        assert_read();
        write_jpeg();
        assert_read();
    }
}

CASE(texts_of_codes_are_read)
{
    FILE *file = fopen(path, "w");
    draw(3);
    fprintf(file, "%s\r\nhttps://example.org\n", code);
    fclose(file);
    assert_read();
}

static void assert_error(const char *words_of_it)
{
    const char *error = NULL;
    assert_int_equal(scan_file(&scan, path, &error), -1);
    assert_non_null(error);
    assert_non_null(strstr(error, words_of_it));
}

static void put(const char *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    fwrite(bytes, 1, length, file);
    fclose(file);
}

CASE(what_is_no_picture_is_refused)
{
    const char *error;
    put("", 0);
    assert_error("no picture");
    put("%PDF-1.4", 8);
    assert_error("neither PNG nor JPEG");
    put("\x89PNG\r\n\x1a\nbroken", 14);
    assert_error("");
    put("\xff\xd8\xff\xe0 broken", 11);
    assert_error("");
    assert_int_equal(scan_file(&scan, "/no/such/file", &error), -1);
    assert_string_equal(error, "No such file or directory");
}

/* A truncated file may still hold the code: never a crash, and no wrong text. */
CASE(cut_pictures_do_no_harm)
{
    const char *error;
    draw(5);
    for (int kind = 0; kind < 2; kind++) {
        if (kind)
            write_jpeg();
        else
            write_png();
        FILE *file = fopen(path, "rb");
        fseek(file, 0, SEEK_END);
        long size = ftell(file);
        fclose(file);
        for (long length = size; length > 16; length = length * 2 / 3) {
            assert_int_equal(truncate(path, length), 0);
            assert_true(scan_file(&scan, path, &error) <= 1);
            scan_free(&scan);
        }
    }
}

int main(void)
{
    close(mkstemp(path));
    int failed = run_cases();
    unlink(path);
    return failed;
}
