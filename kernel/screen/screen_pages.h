/*
 * The pages that stand on the screen after the last test: a summary for one photo, then the findings in full where it
 * has no room for them, then QR codes that hold the results. They turn by themselves, so that no keyboard is needed.
 * Pure.
 */
#pragma once

#include "kernel/qr/qr_series.h"
#include "kernel/screen/screen_code.h"
#include "kernel/screen/screen_layout.h"

#define PAGES_FINDINGS 64
#define PAGES_FINDING_SIZE 320
#define PAGES_FAILED 96
#define PAGES_MOST 64

/* What was found while tests ran, in order; what finds no room is counted. */
struct pages {
    char finding[PAGES_FINDINGS][PAGES_FINDING_SIZE];
    unsigned findings, findings_dropped;
    struct {
        const char *outcome, *test;
    } failed[PAGES_FAILED];
    unsigned failures, failures_dropped;
    /* after pages_make() */
    struct screen_end end;
    struct layout summary;
    unsigned first[PAGES_MOST]; /* finding of each page of findings */
    unsigned finding_pages;
    struct code_place place;
    unsigned version, parts[2]; /* of the codes with results, and those with names */
    unsigned count;             /* of all pages */
};

void pages_finding(struct pages *pages, const char *text);
void pages_failed(struct pages *pages, const char *outcome, const char *test);
/* Makes the summary out of what the screen shows, and counts the pages. font as for layout_verdict(). */
void pages_make(struct pages *pages, const struct layout *shown, const struct font *font,
                const struct screen_size *size, const struct screen_end *end);
/*
 * Draws page 0, the summary, to count - 1. qr->size is 0 if the page has no code; else the code is in the layout, or,
 * if the place has pixels, is to be drawn over it.
 */
void pages_draw(const struct pages *pages, unsigned page, struct layout *layout, struct qr *qr);
/* How long a page is to be seen. */
unsigned pages_seconds(const struct pages *pages, unsigned page);
