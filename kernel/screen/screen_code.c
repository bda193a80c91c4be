/* SPDX-License-Identifier: BSD-2-Clause */
/* Place and size of a QR code on the screen: at the left, as large as possible, with words beside it. */
#include "kernel/screen/screen.h"

#define WORDS_COLUMNS 20u /* the least width for the words beside a code, with a column between */
#define PIXELS_LEAST 5u   /* per module: a camera needs several pixels to resolve one */

static unsigned largest_version(unsigned modules)
{
    unsigned version = QR_VERSION_MAX;
    while (version && QR_SIZE(version) + 2 * QR_QUIET > modules)
        version--;
    return version;
}

/* A character shows two modules: there is so little room that only a little of it may go into error correction. */
static struct code_place place_blocks(const struct screen_size *size)
{
    unsigned wide = size->columns - WORDS_COLUMNS, high = 2 * size->rows;
    struct code_place place = {.level = QR_LOW};
    place.version = largest_version(wide < high ? wide : high);
    place.column = QR_SIZE(place.version) + 2 * QR_QUIET + 2;
    return place;
}

struct code_place screen_code_place(const struct screen_size *size)
{
    struct code_place place = {.level = QR_MEDIUM};
    if (!size->width)
        return place_blocks(size);
    u32 cell = size->width / size->columns, wide = (size->columns - WORDS_COLUMNS) * cell;

    place.room = wide < size->height ? wide : size->height;
    place.version = largest_version(place.room / PIXELS_LEAST);
    place.column = (place.room + cell - 1) / cell + 1;
    return place;
}

u32 screen_code_pixels(const struct code_place *place, unsigned version)
{
    return place->room / (QR_SIZE(version) + 2 * QR_QUIET);
}

void screen_code_blocks(struct layout *layout, const struct qr *qr)
{
    static const u8 blocks[] = {' ', BLOCK_LOWER, BLOCK_UPPER, BLOCK_FULL};
    int side = (int)qr->size + 2 * QR_QUIET;
    for (int row = 0; row < (side + 1) / 2 && row < (int)layout->rows; row++)
        for (int column = 0; column < side && column < (int)layout->columns; column++) {
            bool upper = !qr_dark(qr, 2 * row - QR_QUIET, column - QR_QUIET);
            bool lower = !qr_dark(qr, 2 * row + 1 - QR_QUIET, column - QR_QUIET);
            layout->cell[row][column] = (struct screen_cell){blocks[2 * upper + lower], COLOUR(WHITE, BLACK)};
        }
}
