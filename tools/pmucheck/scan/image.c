/* SPDX-License-Identifier: BSD-2-Clause */
/* Pictures: libpng and libjpeg read them as grey, zbar finds the codes in them. */
#include "tools/pmucheck/scan/scan.h"
#include "tools/text_file.h"
#include <errno.h>
#include <jpeglib.h>
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <zbar.h>

#define SIDE_MOST 20000 /* pixels; a photo has no more */
#define TOO_LARGE "the picture is too large"

struct picture {
    unsigned width, height;
    unsigned char *grey;
};

/* ---- Reading. Each function returns NULL, or the error. */

static const char *read_png(FILE *file, struct picture *picture)
{
    static png_image image;
    static const png_color behind = {255, 255, 255}; /* for transparent parts */
    image = (png_image){.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_stdio(&image, file))
        return image.message;
    if (image.width > SIDE_MOST || image.height > SIDE_MOST) {
        png_image_free(&image);
        return TOO_LARGE;
    }
    image.format = PNG_FORMAT_GRAY;
    *picture = (struct picture){image.width, image.height, malloc(PNG_IMAGE_SIZE(image))};
    if (picture->grey && png_image_finish_read(&image, &behind, picture->grey, 0, NULL))
        return NULL;
    return picture->grey ? image.message : TOO_LARGE;
}

struct jpeg_trouble {
    struct jpeg_error_mgr manager;
    jmp_buf out;
    char text[JMSG_LENGTH_MAX];
};

static void jpeg_failed(j_common_ptr jpeg)
{
    struct jpeg_trouble *trouble = (struct jpeg_trouble *)jpeg->err;
    jpeg->err->format_message(jpeg, trouble->text);
    longjmp(trouble->out, 1);
}

static void jpeg_warned(j_common_ptr jpeg, int level)
{
    (void)jpeg;
    (void)level;
}

/* Leaves picture->grey NULL if there is not enough memory for it. */
static void read_jpeg_rows(struct jpeg_decompress_struct *jpeg, FILE *file, struct picture *picture)
{
    jpeg_create_decompress(jpeg);
    jpeg_stdio_src(jpeg, file);
    jpeg_read_header(jpeg, TRUE);
    if (jpeg->image_width > SIDE_MOST || jpeg->image_height > SIDE_MOST)
        return;
    jpeg->out_color_space = JCS_GRAYSCALE;
    jpeg_start_decompress(jpeg);
    picture->width = jpeg->output_width;
    picture->height = jpeg->output_height;
    picture->grey = malloc((size_t)picture->width * picture->height);
    while (picture->grey && jpeg->output_scanline < jpeg->output_height) {
        JSAMPROW row = picture->grey + (size_t)jpeg->output_scanline * picture->width;
        jpeg_read_scanlines(jpeg, &row, 1);
    }
}

static const char *read_jpeg(FILE *file, struct picture *picture)
{
    static struct jpeg_trouble trouble;
    struct jpeg_decompress_struct jpeg = {.err = jpeg_std_error(&trouble.manager)};
    trouble.manager.error_exit = jpeg_failed;
    trouble.manager.emit_message = jpeg_warned;
    trouble.text[0] = 0;
    if (setjmp(trouble.out) == 0)
        read_jpeg_rows(&jpeg, file, picture);
    jpeg_destroy_decompress(&jpeg);
    return trouble.text[0] ? trouble.text : picture->grey ? NULL : TOO_LARGE;
}

/* ---- Codes */

static int add_codes(struct scan *scan, zbar_image_t *image, const char *path)
{
    int ours = 0;
    for (const zbar_symbol_t *s = zbar_image_first_symbol(image); s; s = zbar_symbol_next(s))
        ours += scan_add(scan, zbar_symbol_get_data(s), path) == SCAN_TAKEN;
    return ours;
}

static int find_codes(struct scan *scan, const struct picture *picture, const char *path)
{
    zbar_image_scanner_t *scanner = zbar_image_scanner_create();
    zbar_image_t *image = zbar_image_create();
    int ours = 0;
    zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0);
    zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1);
    zbar_image_set_format(image, zbar_fourcc('Y', '8', '0', '0'));
    zbar_image_set_size(image, picture->width, picture->height);
    zbar_image_set_data(image, picture->grey, (unsigned long)picture->width * picture->height, NULL);
    if (zbar_scan_image(scanner, image) > 0)
        ours = add_codes(scan, image, path);
    zbar_image_destroy(image);
    zbar_image_scanner_destroy(scanner);
    return ours;
}

/* Half the size smooths the patterns that a camera makes of a screen's pixels. */
static bool halve(struct picture *picture)
{
    unsigned width = picture->width / 2, height = picture->height / 2;
    if (width < 100 || height < 100)
        return false;
    for (unsigned y = 0; y < height; y++)
        for (unsigned x = 0; x < width; x++) {
            const unsigned char *from = picture->grey + (size_t)2 * y * picture->width + (size_t)2 * x;
            picture->grey[(size_t)y * width + x] =
                (unsigned char)((from[0] + from[1] + from[picture->width] + from[picture->width + 1]) / 4);
        }
    picture->width = width;
    picture->height = height;
    return true;
}

static int scan_picture(struct scan *scan, struct picture *picture, const char *path)
{
    int ours = find_codes(scan, picture, path);
    while (ours == 0 && halve(picture))
        ours = find_codes(scan, picture, path);
    return ours;
}

/* ---- Files */

static int scan_text_lines(struct scan *scan, FILE *file, const char *path)
{
    char line[4096];
    int ours = 0;
    while (fgets(line, sizeof(line), file)) {
        line[strcspn(line, "\r\n")] = 0;
        ours += scan_add(scan, line, path) == SCAN_TAKEN;
    }
    return ours;
}

static int scan_variable(struct scan *scan, FILE *file, const char *path)
{
    static unsigned char data[SCAN_VARIABLE_MOST + 1];
    return scan_add_variable(scan, data, fread(data, 1, sizeof(data), file), path) == SCAN_TAKEN;
}

static int scan_open_file(struct scan *scan, FILE *file, const char *path, const char **error)
{
    unsigned char first[8] = "";
    struct picture picture = {0};
    size_t got = fread(first, 1, sizeof(first), file);
    rewind(file);
    if (got < 4) {
        *error = "this is no picture";
        return -1;
    }
    if (memcmp(first, "\x89PNG", 4) == 0)
        *error = read_png(file, &picture);
    else if (memcmp(first, "\xff\xd8\xff", 3) == 0)
        *error = read_jpeg(file, &picture);
    else if (memcmp(first, "PMU", 3) == 0)
        return scan_text_lines(scan, file, path);
    else if (memcmp(first + 4, "PMU", 3) == 0)
        return scan_variable(scan, file, path);
    else
        *error = "this is neither PNG nor JPEG";
    int ours = *error ? -1 : scan_picture(scan, &picture, path);
    free(picture.grey);
    return ours;
}

int scan_file(struct scan *scan, const char *path, const char **error)
{
    FILE *file = fopen(path, "rb");
    *error = NULL;
    if (!file) {
        *error = strerror(errno);
        return -1;
    }
    text_file_remember(file);
    int ours = scan_open_file(scan, file, path, error);
    fclose(file);
    return ours;
}
