/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The pages that the screen shows after the last test: a summary for one photo, then the findings in full if the
 * summary has no room for them, then QR codes that hold the results. They change by themselves, so that no keyboard is
 * needed. Pure.
 */
#pragma once

#include "kernel/qr/qr_series.h"
#include "kernel/screen/screen_code.h"
#include "kernel/screen/screen_layout.h"

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
