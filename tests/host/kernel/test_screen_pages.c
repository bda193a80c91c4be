/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/screen/screen.h"
#include "tests/host/case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct pages pages;
static struct layout layout;
static struct qr qr;
static const struct screen_end end = {.verdict = "fail",
                                      .totals = "verdict=fail pass=1",
                                      .colour = 1,
                                      .code = "7K3M-9XQA",
                                      .who = "lab-7  2026-01-31 12:00"};

/* A row's text, without the blanks at its end. */
static const char *row_text(unsigned row)
{
    static char text[LAYOUT_COLUMNS_MAX + 1];
    unsigned length = 0;
    for (unsigned i = 0; i < layout.columns; i++) {
        text[i] = (char)layout.cell[row][i].character;
        length = text[i] != ' ' ? i + 1 : length;
    }
    text[length] = 0;
    return text;
}

static bool shows(const char *text)
{
    for (unsigned row = 0; row < layout.rows; row++)
        if (strstr(row_text(row), text))
            return true;
    return false;
}

static void begin(unsigned columns, unsigned rows)
{
    memset(&pages, 0, sizeof(pages));
    assert_true(layout_init(&layout, columns, rows));
    layout_field(&layout, SCREEN_TITLE, "pmucheck 1.0");
    layout_field(&layout, SCREEN_MACHINE, "Intel machine");
}

static void make(void)
{
    static struct layout shown;
    shown = layout;
    pages_make(&pages, &shown, NULL, &(struct screen_size){layout.columns, layout.rows, 0, 0}, &end);
    pages_draw(&pages, 0, &layout, &qr);
}

CASE(a_run_without_findings_has_one_page)
{
    begin(80, 25);
    make();
    assert_int_equal(pages.count, 1);
    assert_true(shows("pmucheck 1.0"));
    assert_true(shows("Intel machine"));
    assert_true(shows("result code 7K3M-9XQA"));
    assert_true(shows("verdict=fail pass=1"));
    assert_false(shows("page"));
}

CASE(the_summary_names_what_did_not_pass)
{
    begin(80, 25);
    pages_failed(&pages, "fail", "pmi.mask-set");
    pages_failed(&pages, "error", "freeze.resume");
    pages_finding(&pages, "fail pmi.mask-set label=a");
    make();
    assert_int_equal(pages.count, 1);
    assert_string_equal(row_text(LAYOUT_FIRST_FINDING), "fail pmi.mask-set    error freeze.resume");
    assert_string_equal(row_text(LAYOUT_FIRST_FINDING + 2), "fail pmi.mask-set label=a");
    assert_false(shows("page"));
}

/* With any number of columns of names. */
CASE(too_many_names_are_counted)
{
    static const char *const names[] = {"pmi.mask-set", "a.b", "chapter.what-holds-and-what-does-not"};
    for (unsigned n = 0; n < 3 * (LAYOUT_ROWS_MAX - LAYOUT_ROWS_MIN + 1); n++)
        for (unsigned extra = 0; extra < 60; extra += 20) {
            const char *name = names[n % 3];
            unsigned more = 0, named = 0;
            begin(n % 2 ? LAYOUT_COLUMNS_MAX : 80, LAYOUT_ROWS_MIN + n / 3);
            for (unsigned i = 0; i < PAGES_FAILED + extra; i++)
                pages_failed(&pages, "fail", name);
            make();
            for (unsigned row = LAYOUT_FIRST_FINDING; row < layout.rows; row++) {
                sscanf(row_text(row), "... and %u more", &more);
                for (const char *at = row_text(row); (at = strstr(at, name)); at++)
                    named++;
            }
            assert_int_equal(named + more, PAGES_FAILED + extra);
        }
}

CASE(findings_are_shown_in_full)
{
    char text[PAGES_FINDING_SIZE + 10];
    unsigned seen = 0;
    begin(80, 25);
    for (unsigned i = 0; i < PAGES_FINDINGS + 3; i++) {
        snprintf(text, sizeof(text), "finding-%u: %*s last-%u", i, (int)(i * 3), "x", i);
        pages_finding(&pages, text);
    }
    make();
    assert_true(shows("page 1 of "));
    assert_int_equal(pages.findings_dropped, 3);
    for (unsigned page = 1; page < pages.count; page++) {
        pages_draw(&pages, page, &layout, &qr);
        assert_true(shows("3 more only in the log"));
        for (unsigned i = 0; i < PAGES_FINDINGS; i++) {
            snprintf(text, sizeof(text), "finding-%u:", i);
            if (shows(text)) {
                snprintf(text, sizeof(text), "last-%u", i);
                assert_true(shows(text));
                seen++;
            }
        }
    }
    assert_int_equal(seen, PAGES_FINDINGS);
}

/* What has no room on so few pages is counted. */
CASE(there_are_at_most_eight_pages)
{
    char text[PAGES_FINDING_SIZE];
    unsigned seen = 0;
    begin(80, 25);
    for (unsigned i = 0; i < PAGES_FINDINGS; i++) {
        snprintf(text, sizeof(text), "finding-%u: %*s", i, PAGES_FINDING_SIZE - 40, "x");
        pages_finding(&pages, text);
    }
    make();
    assert_int_equal(pages.count, SCREEN_PAGES_MOST);
    for (unsigned page = 1; page < pages.count; page++) {
        pages_draw(&pages, page, &layout, &qr);
        for (unsigned i = 0; i < PAGES_FINDINGS; i++) {
            snprintf(text, sizeof(text), "finding-%u:", i);
            seen += shows(text);
        }
    }
    assert_in_range(seen, 20, PAGES_FINDINGS - 1);
    snprintf(text, sizeof(text), "findings, %u more only in the log", PAGES_FINDINGS - seen);
    assert_true(shows(text));
}

CASE(a_finding_is_broken_at_blanks)
{
    char text[100];
    begin(80, 25);
    memset(text, 'x', 99);
    text[99] = 0;
    text[70] = ' ';
    pages_finding(&pages, text);
    make();
    assert_int_equal(strlen(row_text(LAYOUT_FIRST_FINDING)), 70);
    assert_int_equal(strlen(row_text(LAYOUT_FIRST_FINDING + 1)), 2 + 28);
    memset(text, 'x', 99);
    begin(80, 25);
    pages_finding(&pages, text);
    make();
    assert_int_equal(strlen(row_text(LAYOUT_FIRST_FINDING)), 80);
    assert_int_equal(strlen(row_text(LAYOUT_FIRST_FINDING + 1)), 2 + 19);
}

int main(void)
{
    return run_cases();
}
