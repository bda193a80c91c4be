/* SPDX-License-Identifier: BSD-2-Clause */
/* A console font in PSF format, version 1 or 2, as Linux distributions ship it. Pure. */
#pragma once

#include "boot/bits.h"
#include "boot/boot_info.h"
#include "kernel/qr/qr.h"

struct font {
    u32 height;        /* rows of a glyph; each is one byte, leftmost pixel in bit 7 */
    const u8 *glyphs;  /* `height` bytes each */
    u16 glyph_of[128]; /* the glyph of each ASCII character */
};

/* Reads a font that is 8 pixels wide. False if it is broken or has another width. */
bool psf_parse(const u8 *data, size_t size, struct font *font);
/* Row y of a character's glyph; characters outside ASCII are shown as '?'. */
u8 font_row(const struct font *font, u8 character, u32 y);

/* Output for a person: VGA text, or a framebuffer with a scaled font. Without a screen every call does nothing. */

struct qr_series; /* kernel/qr/qr.h */

enum screen_field {
    SCREEN_TITLE,   /* program and version */
    SCREEN_MACHINE, /* CPU brand, signature, microcode, CPUs */
    SCREEN_PMU,     /* version, counters, widths; kind of run */
    SCREEN_RUNNING, /* the running test, n of m */
    SCREEN_TOTALS,  /* pass, fail, ... */
    SCREEN_FIELDS
};

/* Opens the screen, with the boot tables or the final ones in use, and shows what was logged so far. */
void screen_init(const struct boot_info *boot);
/* Maps the screen in the final page tables, before they are used. */
void screen_map(void);
/* Draws what there has been no time for. Call it now and then while nothing else is drawn. */
void screen_poll(void);
/* Logs what drawing has cost: in all, and the longest that anybody waited for it. */
void screen_print_cost(void);
__attribute__((format(printf, 2, 3))) void screen_set(enum screen_field field, const char *format, ...);
/* The bar beside the running test: done of total. */
void screen_progress(unsigned done, unsigned total);
/* Adds a line to the list of findings (failures, errors, trouble at the start); lines that do not fit are only
 * counted. */
__attribute__((format(printf, 1, 2))) void screen_finding(const char *format, ...);
/* Adds a test that did not pass to the summary's list. Both texts must stay. */
void screen_failed(const char *outcome, const char *test);

/* What the screen shows at the end; texts must stay. */
struct screen_end {
    const char *verdict, *totals;
    int colour;                      /* 0 good, 1 bad, 2 neither */
    const char *code;                /* the result code */
    const char *who;                 /* which machine, and when: shown beside each code */
    const struct qr_series *results; /* NULL: no QR codes */
};
/* How many characters the largest code on this screen has; 0: there is no screen. */
unsigned screen_code_characters(void);
/* All pages are at most so many, if the results take no more codes than this: then one page is left for findings. */
#define SCREEN_PAGES_MOST 8
#define SCREEN_CODES_MOST (SCREEN_PAGES_MOST - 2)
/* Shows the summary, the first of the pages, which fits on one photo. */
void screen_end(const struct screen_end *end);
/* Shows the pages in turn for ever; returns at once if there is no screen. Boot CPU only, with the others asleep. */
void screen_turn(void);

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

struct screen_cell {
    u8 character, colour;
};

struct layout {
    unsigned columns, rows;
    struct screen_cell cell[LAYOUT_ROWS_MAX][LAYOUT_COLUMNS_MAX];
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

/* A display: a grid of cells that can be drawn one at a time. There are two kinds; a machine has at most one
 * display. */

struct display {
    unsigned columns, rows;
    u32 width, height; /* in pixels; 0: the display has only cells */
    void (*draw)(unsigned column, unsigned row, struct screen_cell cell);
    /* Fills a rectangle within the screen with one of the 16 colours; NULL for a display without pixels. */
    void (*fill)(u32 x, u32 y, u32 width, u32 height, u8 colour);
    /* Maps the display's memory when it is opened, and again for the final page tables. False: it cannot be mapped. */
    bool (*map)(void);
};

/* VGA text mode: at the address that the loader gives, or at the standard one. False if there is no display. */
bool vga_text_open(const struct boot_framebuffer *framebuffer, struct display *display);
/* "ADDRESS,WIDTHxHEIGHT,PITCH": 32 bits a pixel, blue in the lowest byte. False, with nothing changed, if malformed. */
bool framebuffer_parse(const char *text, struct boot_framebuffer *framebuffer);
/* A linear framebuffer of 24 or 32 bits. False if its format is not supported. `font` must stay. */
bool framebuffer_open(const struct boot_framebuffer *framebuffer, const struct font *font, struct display *display);

/* Place and size of a QR code on the screen: at the left, as large as possible, with words beside it. Pure. */

/* A screen's size for codes. width and height are in pixels; 0 if it has only characters. */
struct screen_size {
    unsigned columns, rows;
    u32 width, height;
};

struct code_place {
    unsigned version; /* the largest version that fits; 0: none fits */
    enum qr_level level;
    u32 room;        /* side of its square in pixels; 0: a character shows two modules, one above the other */
    unsigned column; /* where the words beside it begin */
};
struct code_place screen_code_place(const struct screen_size *size);
/* The side of a module in pixels. */
u32 screen_code_pixels(const struct code_place *place, unsigned version);
/* Draws a code with half-block characters, for a screen without pixels. */
void screen_code_blocks(struct layout *layout, const struct qr *qr);

/*
 * The pages that the screen shows after the last test: a summary for one photo, then the findings in full if the
 * summary has no room for them, then QR codes that hold the results. They change by themselves, so that no keyboard is
 * needed. Pure.
 */

#define PAGES_FINDINGS 64
#define PAGES_FINDING_SIZE 320
#define PAGES_FAILED 96

/* What was found while tests ran, in order; findings without room are counted. */
struct pages {
    char finding[PAGES_FINDINGS][PAGES_FINDING_SIZE];
    unsigned findings, findings_dropped;
    struct {
        const char *outcome, *test;
    } failed[PAGES_FAILED];
    unsigned failures, failures_dropped;
    /* set by pages_make() */
    struct screen_end end;
    struct layout summary;
    unsigned first[SCREEN_PAGES_MOST]; /* the first finding on each page of findings */
    unsigned finding_pages;
    struct code_place place;
    unsigned version, codes; /* version and number of the codes */
    unsigned count;          /* number of all pages */
};

void pages_finding(struct pages *pages, const char *text);
void pages_failed(struct pages *pages, const char *outcome, const char *test);
/* Makes the summary from what the screen shows, and counts the pages. `font` as for layout_verdict(). */
void pages_make(struct pages *pages, const struct layout *shown, const struct font *font,
                const struct screen_size *size, const struct screen_end *end);
/*
 * Draws a page from 0, the summary, to count - 1. qr->size is 0 if the page has no code. Otherwise, if the screen has
 * pixels, the caller draws the code over the layout; if not, it is in the layout.
 */
void pages_draw(const struct pages *pages, unsigned page, struct layout *layout, struct qr *qr);
/* How long a page is shown. */
unsigned pages_seconds(const struct pages *pages, unsigned page);
