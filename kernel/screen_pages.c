#include "kernel/screen_pages.h"
#include "kernel/format.h"
#include "kernel/string.h"

#define SUMMARY_SECONDS 10
#define FINDINGS_SECONDS 8
#define ROW_CODE 4u
#define INDENT 2u /* of what a finding's further rows begin with */

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

/* "fail pmi.mask-set  error freeze.resume": in columns, as many as there is room for. Returns the next free row. */
static unsigned list_failed(const struct pages *pages, struct layout *layout, unsigned row, unsigned end)
{
    unsigned width = widest_failed(pages), across = layout->columns > width ? layout->columns / width : 1;
    unsigned room = (end - row) * across, shown = pages->failures;
    char text[80];

    if (shown + pages->failures_dropped > room)
        shown = room - across; /* the last row tells how many more */
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

/* Below the tests' names as many of the findings as fit, each cut to one row: the other pages have them in full. */
static void make_summary(struct pages *pages, const struct layout *shown, const struct font *font)
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
    for (unsigned i = 0; i < pages->findings && row < end; i++)
        layout_text(layout, row++, 0, pages->finding[i], LAYOUT_FINDING_COLOUR);
    layout_verdict(layout, font, pages->end.verdict, pages->end.colour, pages->end.totals);
}

/* ---- Findings */

/* How much of the text one row takes: up to the last blank that fits, if there is one. */
static unsigned taken(const char *text, unsigned room)
{
    unsigned length = (unsigned)strlen(text);

    if (length <= room)
        return length;
    for (unsigned i = room; i > room / 2; i--)
        if (text[i] == ' ')
            return i;
    return room;
}

/* Writes a finding, further rows indented; layout NULL: only counts them. Returns how many rows it takes. */
static unsigned write_finding(struct layout *layout, unsigned columns, unsigned row, const char *text)
{
    char part[LAYOUT_COLUMNS_MAX + 1];
    unsigned rows = 0;

    for (unsigned column = 0; *text; column = INDENT, rows++) {
        unsigned length = taken(text, columns - column);

        format_text(part, sizeof(part), "%.*s", (int)length, text);
        if (layout)
            layout_text(layout, row + rows, column, part, LAYOUT_FINDING_COLOUR);
        text += length;
        text += *text == ' ';
    }
    return rows;
}

static unsigned rows_of(const struct layout *layout, const char *text)
{
    return write_finding(NULL, layout->columns, 0, text);
}

/* The first finding behind those that fit on a page which begins with `first`. */
static unsigned findings_end(const struct pages *pages, const struct layout *layout, unsigned first)
{
    unsigned row = 2, next = first;

    while (next < pages->findings && row + rows_of(layout, pages->finding[next]) <= layout->rows)
        row += rows_of(layout, pages->finding[next++]);
    return next;
}

static void draw_findings(const struct pages *pages, unsigned first, struct layout *layout)
{
    unsigned end = findings_end(pages, layout, first), row = 2;
    char text[80] = "findings";

    if (pages->findings_dropped)
        format_text(text, sizeof(text), "findings; %u more are in the log alone", pages->findings_dropped);
    layout_rule(layout, 1, text);
    for (unsigned i = first; i < end; i++)
        row += write_finding(layout, layout->columns, row, pages->finding[i]);
}

/* ---- All of them */

void pages_make(struct pages *pages, const struct layout *shown, const struct font *font, const struct screen_end *end)
{
    pages->end = *end;
    make_summary(pages, shown, font);
    pages->finding_pages = 0;
    for (unsigned next = 0; next < pages->findings && pages->finding_pages < PAGES_MOST;) {
        pages->first[pages->finding_pages++] = next;
        next = findings_end(pages, shown, next);
    }
    pages->count = 1 + pages->finding_pages;
}

/* Title and page number in the first row. */
static void number_page(const struct pages *pages, unsigned page, struct layout *layout)
{
    char text[32];
    unsigned length = (unsigned)format_text(text, sizeof(text), "page %u of %u", page + 1, pages->count);

    if (pages->count > 1)
        layout_text(layout, 0, layout->columns - length - 1, text, LAYOUT_TITLE_COLOUR);
}

void pages_draw(const struct pages *pages, unsigned page, struct layout *layout)
{
    *layout = pages->summary;
    if (page) {
        layout_clear(layout, 1, layout->rows);
        draw_findings(pages, pages->first[page - 1], layout);
    }
    number_page(pages, page, layout);
}

unsigned pages_seconds(const struct pages *pages, unsigned page)
{
    (void)pages;
    return page ? FINDINGS_SECONDS : SUMMARY_SECONDS;
}
