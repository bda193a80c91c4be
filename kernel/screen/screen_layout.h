/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The layout of the screen: characters and colours in a grid of cells, independent of how a display draws cells. Pure.
 * While tests run:
 *
 *      title
 *      machine
 *      ...
 *      PMU
 *      running test, progress bar
 *      totals
 *      -- findings --
 *      ...
 *      -- log --                    last lines of the log; at the end instead:
 *      ...                          the verdict in large letters and the totals
 */
#pragma once

#include "kernel/screen/psf.h"
#include "kernel/screen/screen.h"

#define LAYOUT_COLUMNS_MIN 60u
#define LAYOUT_COLUMNS_MAX 100u
#define LAYOUT_ROWS_MIN 22u
#define LAYOUT_ROWS_MAX 37u

/* Characters beyond ASCII, with their codes in the font of VGA text mode. */
#define BLOCK_FULL 0xdb
#define BLOCK_LOWER 0xdc
#define BLOCK_UPPER 0xdf
#define LINE_HORIZONTAL 0xc4

#define LAYOUT_TEXT_COLOUR COLOUR(GREY, BLACK)
#define LAYOUT_TITLE_COLOUR COLOUR(WHITE, BLUE)
#define LAYOUT_FINDING_COLOUR COLOUR(YELLOW, BLACK)

/* VGA's colours: foreground in bits 3:0, background in bits 6:4. */
enum colour { BLACK, BLUE, GREEN, CYAN, RED, MAGENTA, BROWN, GREY, DARK_GREY, YELLOW = 14, WHITE = 15 };
#define COLOUR(foreground, background) ((u8)((foreground) | (background) << 4))

struct cell {
    u8 character, colour;
};

struct layout {
    unsigned columns, rows;
    struct cell cell[LAYOUT_ROWS_MAX][LAYOUT_COLUMNS_MAX];
    unsigned finding_rows, findings_hidden;
    bool ended; /* the verdict is shown instead of the log's lines */
};

/* How a framebuffer is divided into cells; glyphs of 8 x font_height pixels are scaled and centred in their cells. */
struct geometry {
    unsigned columns, rows, cell_width, cell_height, scale;
};
/* False if width x height pixels are too few for a readable screen. */
bool layout_geometry(u32 width, u32 height, u32 font_height, struct geometry *geometry);

/* Sizes are cut to the upper bounds above; false if they are below the lower bounds. */
bool layout_init(struct layout *layout, unsigned columns, unsigned rows);
void layout_field(struct layout *layout, enum screen_field field, const char *text);
void layout_progress(struct layout *layout, unsigned done, unsigned total);
void layout_finding(struct layout *layout, const char *text);
/* Takes lines of the log with their CRLF, as a sink gets them. */
void layout_log(struct layout *layout, const char *text, size_t length);
/* Parts of the pages at the end: text, cut at the last column with a '>'; a rule with a name; empty rows. */
void layout_text(struct layout *layout, unsigned row, unsigned column, const char *text, u8 colour);
/* How many characters of the text to put in a row with room for `room`: up to the last blank that fits, if any. */
unsigned layout_taken(const char *text, unsigned room);
void layout_rule(struct layout *layout, unsigned row, const char *name);
void layout_clear(struct layout *layout, unsigned first_row, unsigned end_row);
/* The rows between the rule above the findings and the rule above the verdict. */
#define LAYOUT_FIRST_FINDING 7u
unsigned layout_end_of_findings(const struct layout *layout);
/* Without a font the verdict is written in ordinary letters. colour: 0 good, 1 bad, 2 neither. */
void layout_verdict(struct layout *layout, const struct font *font, const char *verdict, int colour,
                    const char *totals);
