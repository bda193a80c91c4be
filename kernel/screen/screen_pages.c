/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The pages that the screen shows after the last test: a summary for one photo, then the findings in full if the
 * summary has no room for them, then QR codes that hold the results.
 */
#include "kernel/screen/screen.h"
#include "kernel/text/text.h"

#define SUMMARY_SECONDS 10
#define FINDINGS_SECONDS 8
#define CODE_SECONDS 5
#define ROW_CODE 4u
#define INDENT 2u /* of a finding's further rows */

#define CODE_COLOUR COLOUR(WHITE, BLACK)
#define FAILED_COLOUR COLOUR(YELLOW, BLACK)

void pages_finding(struct pages *pages, const char *text)
{
    if (pages->findings == PAGES_FINDINGS)
        pages->findings_dropped++;
    else
        format_text(pages->finding[pages->findings++], PAGES_FINDING_SIZE, "%s", text);
}

void pages_failed(struct pages *pages, const char *outcome, const char *test)
{
    if (pages->failures == PAGES_FAILED) {
        pages->failures_dropped++;
        return;
    }
    pages->failed[pages->failures].outcome = outcome;
    pages->failed[pages->failures++].test = test;
}

/* ---- Text in rows */

struct block {
    unsigned row, column, end; /* the columns before this one */
    unsigned indent;           /* of the rows after the first */
    u8 colour;
};

/* Writes text in as many rows as it takes, and returns their number. layout NULL: only counts. */
static unsigned write_block(struct layout *layout, struct block at, const char *text)
{
    char part[LAYOUT_COLUMNS_MAX + 1];
    unsigned rows = 0;
    for (unsigned column = at.column; *text; column = at.column + at.indent, rows++) {
        unsigned length = layout_taken(text, at.end - column);
        format_text(part, sizeof(part), "%.*s", (int)length, text);
        if (layout && at.row + rows < layout->rows)
            layout_text(layout, at.row + rows, column, part, at.colour);
        text += length;
        text += *text == ' ';
    }
    return rows;
}

static struct block finding_at(const struct layout *layout, unsigned row)
{
    return (struct block){row, 0, layout->columns, INDENT, LAYOUT_FINDING_COLOUR};
}

/* ---- The summary */

static unsigned widest_failed(const struct pages *pages)
{
    size_t widest = 0;
    for (unsigned i = 0; i < pages->failures; i++) {
        size_t width = strlen(pages->failed[i].outcome) + 1 + strlen(pages->failed[i].test);
        widest = width > widest ? width : widest;
    }
    return (unsigned)widest + 2;
}

/* "fail pmi.mask-set error freeze.resume": in as many columns as fit. Returns the next free row. */
static unsigned list_failed(const struct pages *pages, struct layout *layout, unsigned row, unsigned end)
{
    unsigned width = widest_failed(pages), across = layout->columns > width ? layout->columns / width : 1;
    unsigned room = (end - row) * across, shown = pages->failures;
    char text[80];
    if (shown + pages->failures_dropped > room)
        shown = room - across < shown ? room - across : shown; /* the last row shows how many more there are */
    for (unsigned i = 0; i < shown; i++) {
        format_text(text, sizeof(text), "%s %s", pages->failed[i].outcome, pages->failed[i].test);
        layout_text(layout, row + i / across, i % across * width, text, FAILED_COLOUR);
    }
    row += (shown + across - 1) / across;
    if (shown < pages->failures + pages->failures_dropped) {
        format_text(text, sizeof(text), "... and %u more, see the log",
                    pages->failures + pages->failures_dropped - shown);
        layout_text(layout, row++, 0, text, FAILED_COLOUR);
    }
    return row;
}

/* Writes all findings in full if they fit: true. Otherwise as many as fit, each cut to one row: other pages have
 * all. */
static bool list_findings(const struct pages *pages, struct layout *layout, unsigned row, unsigned end)
{
    unsigned needed = pages->findings_dropped;
    bool whole;
    for (unsigned i = 0; i < pages->findings; i++)
        needed += write_block(NULL, finding_at(layout, 0), pages->finding[i]);
    whole = needed <= end - row;
    for (unsigned i = 0; i < pages->findings && row < end; i++)
        if (whole)
            row += write_block(layout, finding_at(layout, row), pages->finding[i]);
        else
            layout_text(layout, row++, 0, pages->finding[i], LAYOUT_FINDING_COLOUR);
    return whole && !pages->findings_dropped;
}

/* The names of the tests, and the findings below them. Returns whether the findings are complete. */
static bool make_summary(struct pages *pages, const struct layout *shown, const struct font *font)
{
    struct layout *layout = &pages->summary;
    unsigned end = layout_end_of_findings(shown), row = LAYOUT_FIRST_FINDING;
    char text[80];
    *layout = *shown;
    layout_clear(layout, ROW_CODE, ROW_CODE + 1);
    format_text(text, sizeof(text), "result code %s", pages->end.code);
    layout_text(layout, ROW_CODE, 0, text, CODE_COLOUR);
    layout_clear(layout, row, end);
    layout_rule(layout, row - 1, pages->failures ? "did not pass" : "findings");
    if (pages->failures)
        row = list_failed(pages, layout, row, end);
    if (pages->failures && row + 2 <= end)
        layout_rule(layout, row++, "findings");
    bool whole = list_findings(pages, layout, row, end);
    layout_verdict(layout, font, pages->end.verdict, pages->end.colour, pages->end.totals);
    return whole;
}

/* ---- Findings */

/* The number after the last finding that fits on a page which begins with `first`. */
static unsigned findings_end(const struct pages *pages, const struct layout *layout, unsigned first)
{
    unsigned row = 2, next = first;
    for (; next < pages->findings; next++) {
        row += write_block(NULL, finding_at(layout, 0), pages->finding[next]);
        if (row > layout->rows)
            break;
    }
    return next;
}

/* What has no room on the pages that the codes leave is only counted; the first findings are the failures. */
static void divide_findings(struct pages *pages, const struct layout *shown)
{
    unsigned next = 0, most = pages->codes < SCREEN_CODES_MOST ? SCREEN_PAGES_MOST - 1 - pages->codes : 1;
    for (pages->finding_pages = 0; next < pages->findings && pages->finding_pages < most;) {
        pages->first[pages->finding_pages++] = next;
        next = findings_end(pages, shown, next);
    }
    pages->findings_dropped += pages->findings - next;
    pages->findings = next;
}

static void draw_findings(const struct pages *pages, unsigned first, struct layout *layout)
{
    unsigned end = findings_end(pages, layout, first), row = 2;
    char text[80];
    format_text(text, sizeof(text), "findings, result code %s", pages->end.code);
    if (pages->findings_dropped)
        format_text(text, sizeof(text), "findings, %u more only in the log", pages->findings_dropped);
    layout_rule(layout, 1, text);
    for (unsigned i = first; i < end; i++)
        row += write_block(layout, finding_at(layout, row), pages->finding[i]);
}

/* ---- Codes */

/* Takes the smallest version that needs no more codes than the largest one that fits: its modules are larger. */
static void divide_codes(struct pages *pages)
{
    pages->codes = 0;
    for (unsigned version = pages->place.version; version && pages->end.results; version--) {
        unsigned codes = qr_series_parts(pages->end.results, qr_capacity(version, pages->place.level));
        if (!codes || (pages->codes && codes > pages->codes))
            break;
        pages->codes = codes;
        pages->version = version;
    }
}

/* The words beside a code. */
static void draw_words(const struct pages *pages, unsigned part, struct layout *layout)
{
    struct block at = {1, pages->place.column, layout->columns, 0, CODE_COLOUR};
    char text[160];
    format_text(text, sizeof(text), "Results %u of %u", part, pages->codes);
    at.row += write_block(layout, at, text) + 1;
    format_text(text, sizeof(text), "result code %s", pages->end.code);
    at.row += write_block(layout, at, text) + 1;
    format_text(text, sizeof(text), "verdict %s", pages->end.verdict);
    at.row += write_block(layout, at, text) + 1;
    at.row += write_block(layout, at, pages->end.who) + 1;
    at.colour = LAYOUT_TEXT_COLOUR;
    write_block(layout, at, "Take a photo of each code. pmucheck scan makes a log from them.");
}

static void draw_code(const struct pages *pages, unsigned page, struct layout *layout, struct qr *qr)
{
    static char text[QR_CODEWORDS_MAX * 2];
    unsigned part = page - pages->finding_pages;
    layout_clear(layout, 0, layout->rows);
    draw_words(pages, part, layout);
    qr_series_part(pages->end.results, part, qr_capacity(pages->version, pages->place.level), text);
    if (qr_encode(qr, text, pages->version, pages->place.level) && !pages->place.room)
        screen_code_blocks(layout, qr);
}

/* ---- All of them */

void pages_make(struct pages *pages, const struct layout *shown, const struct font *font,
                const struct screen_size *size, const struct screen_end *end)
{
    pages->end = *end;
    pages->finding_pages = 0;
    pages->place = screen_code_place(size);
    divide_codes(pages);
    bool whole = make_summary(pages, shown, font);
    if (!whole)
        divide_findings(pages, shown);
    pages->count = 1 + pages->finding_pages + pages->codes;
}

/* In a corner: at the top beside the title, or at the bottom beside a code. */
static void number_page(const struct pages *pages, unsigned page, struct layout *layout)
{
    bool code = page > pages->finding_pages;
    char text[32];
    unsigned length = (unsigned)format_text(text, sizeof(text), "page %u of %u", page + 1, pages->count);
    if (code)
        layout_text(layout, layout->rows - 1, pages->place.column, text, LAYOUT_TEXT_COLOUR);
    else if (pages->count > 1)
        layout_text(layout, 0, layout->columns - length - 1, text, LAYOUT_TITLE_COLOUR);
}

void pages_draw(const struct pages *pages, unsigned page, struct layout *layout, struct qr *qr)
{
    *layout = pages->summary;
    qr->size = 0;
    if (page > pages->finding_pages) {
        draw_code(pages, page, layout, qr);
    } else if (page) {
        layout_clear(layout, 1, layout->rows);
        draw_findings(pages, pages->first[page - 1], layout);
    }
    number_page(pages, page, layout);
}

unsigned pages_seconds(const struct pages *pages, unsigned page)
{
    return page > pages->finding_pages ? CODE_SECONDS : page ? FINDINGS_SECONDS : SUMMARY_SECONDS;
}
