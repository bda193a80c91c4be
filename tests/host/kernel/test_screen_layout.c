/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/screen/screen.h"
#include "tests/host/case.h"

#include <stdlib.h>
#include <string.h>

static struct layout layout;

static void assert_row(unsigned row, const char *text)
{
    char got[LAYOUT_COLUMNS_MAX + 1] = "";
    for (unsigned i = 0; i < strlen(text); i++)
        got[i] = (char)layout.cell[row][i].character;
    assert_string_equal(got, text);
}

static void finding(int n)
{
    char text[32] = "finding 0";
    text[8] = (char)('A' + n);
    layout_finding(&layout, text);
}

CASE(fields_have_their_rows)
{
    assert_true(layout_init(&layout, 80, 25));
    layout_field(&layout, SCREEN_TITLE, "pmucheck 1.0");
    layout_field(&layout, SCREEN_MACHINE, "Intel");
    layout_field(&layout, SCREEN_TOTALS, "pass 3");
    layout_field(&layout, SCREEN_TOTALS, "p");
    assert_row(0, "pmucheck 1.0  ");
    assert_row(1, "Intel ");
    assert_row(5, "p     ");
}

CASE(long_text_is_cut_visibly)
{
    char text[200];
    memset(text, 'x', sizeof(text));
    text[80] = 0;
    layout_init(&layout, 80, 25);
    layout_field(&layout, SCREEN_PMU, text);
    assert_int_equal(layout.cell[3][79].character, 'x');
    text[80] = 'x';
    text[81] = 0;
    layout_field(&layout, SCREEN_PMU, text);
    assert_int_equal(layout.cell[3][79].character, '>');
    assert_int_equal(layout.cell[4][0].character, ' ');
    layout_field(&layout, SCREEN_RUNNING, text);
    assert_int_equal(layout.cell[4][54].character, '>');
    assert_int_equal(layout.cell[4][55].character, ' ');
}

CASE(the_machine_has_two_rows)
{
    char text[200];
    memset(text, 'x', sizeof(text));
    text[90] = 0;
    layout_init(&layout, 80, 25);
    layout_field(&layout, SCREEN_MACHINE, text);
    assert_int_equal(layout.cell[1][79].character, 'x');
    assert_row(2, "  xxxxxxxxxx ");
    text[199] = 0;
    text[90] = 'x';
    layout_field(&layout, SCREEN_MACHINE, text);
    assert_int_equal(layout.cell[2][79].character, '>');
    layout_field(&layout, SCREEN_MACHINE, "short");
    assert_row(2, "     ");
}

CASE(progress_grows)
{
    layout_init(&layout, 80, 25); /* columns 56 to 79 */
    layout_progress(&layout, 0, 10);
    assert_int_equal(layout.cell[4][56].character, LINE_HORIZONTAL);
    layout_progress(&layout, 5, 10);
    assert_int_equal(layout.cell[4][55].character, ' ');
    assert_int_equal(layout.cell[4][67].character, BLOCK_FULL);
    assert_int_equal(layout.cell[4][68].character, LINE_HORIZONTAL);
    layout_progress(&layout, 20, 10);
    assert_int_equal(layout.cell[4][79].character, BLOCK_FULL);
    layout_progress(&layout, 0, 0);
    assert_int_equal(layout.cell[4][56].character, LINE_HORIZONTAL);
}

CASE(findings_that_do_not_fit_are_counted)
{
    layout_init(&layout, 80, 25); /* rows 7 to 13, and 14 for the number of the rest */
    for (int n = 0; n < 7; n++)
        finding(n);
    assert_row(7, "finding A");
    assert_row(13, "finding G");
    assert_row(14, "       ");
    finding(8);
    assert_row(13, "finding G");
    assert_row(14, "... and 1 more, see the log");
    finding(9);
    assert_row(14, "... and 2 more, see the log");
    assert_row(15, "\xc4\xc4 log");
}

CASE(long_findings_take_two_rows)
{
    char text[100];
    memset(text, 'x', sizeof(text));
    text[99] = 0;
    text[79] = 'y';
    layout_init(&layout, 80, 25);
    for (int n = 0; n < 3; n++)
        layout_finding(&layout, text);
    assert_int_equal(layout.cell[11][79].character, 'y');
    assert_row(12, "  xxxxxxxxxxxxxxxxxxx ");
    layout_finding(&layout, text); /* one row is left, but it needs two */
    finding(0);                    /* later findings do not displace earlier ones */
    assert_row(13, "       ");
    assert_row(14, "... and 2 more, see the log");
}

CASE(the_log_scrolls)
{
    layout_init(&layout, 80, 25); /* rows 16 to 24 */
    layout_log(&layout, "one\r\ntwo\r\n", 10);
    assert_row(23, "one ");
    assert_row(24, "two ");
    layout_log(&layout, "no end", 6);
    assert_row(22, "one ");
    assert_row(24, "no end ");
    for (int i = 0; i < 20; i++)
        layout_log(&layout, "more\r\n", 6);
    assert_row(16, "more ");
    assert_row(15, "\xc4\xc4 log");
}

CASE(the_verdict_covers_no_finding)
{
    static u8 glyphs[128 * 16];
    struct font font = {.height = 16, .glyphs = glyphs};
    font.glyph_of['F'] = 1;
    glyphs[16] = 0x80;      /* first row: its leftmost pixel */
    glyphs[16 + 15] = 0x01; /* last row: its rightmost pixel */
    layout_init(&layout, 80, 25);
    for (int n = 0; n < 8; n++)
        finding(n);
    layout_verdict(&layout, &font, "f", 1, "1 of 3 failed");
    assert_row(13, "finding G");
    assert_row(14, "... and 1 more");
    assert_row(15, "\xc4\xc4 verdict");
    assert_int_equal(layout.cell[16][36].character, BLOCK_UPPER);
    assert_int_equal(layout.cell[16][37].character, BLOCK_UPPER); /* doubled */
    assert_int_equal(layout.cell[23][43].character, BLOCK_LOWER);
    assert_int_equal(layout.cell[20][0].colour, COLOUR(WHITE, RED));
    assert_int_equal(layout.cell[24][33].character, '1');
    layout_log(&layout, "late\r\n", 6);
    assert_int_equal(layout.cell[24][33].character, '1');
}

CASE(a_verdict_without_room_for_large_letters)
{
    layout_init(&layout, 80, 25);
    layout_verdict(&layout, NULL, "pass", 99, "");
    assert_int_equal(layout.cell[20][38].character, 'p');
    assert_int_equal(layout.cell[20][38].colour, COLOUR(WHITE, BLUE));
}

CASE(geometries)
{
    static const struct {
        u32 width, height;
        struct geometry want;
    } rows[] = {
        {640, 480, {80, 30, 8, 16, 1}},    {800, 600, {100, 37, 8, 16, 1}},    {1024, 768, {100, 37, 10, 20, 1}},
        {1280, 800, {80, 25, 16, 32, 2}},  {1920, 1080, {100, 33, 19, 32, 2}}, {3840, 2160, {96, 27, 40, 80, 5}},
        {3840, 2400, {80, 25, 48, 96, 6}},
    };
    struct geometry got;
    for_each_row (rows, row) {
        assert_true(layout_geometry(row->width, row->height, 16, &got));
        assert_memory_equal(&got, &row->want, sizeof(got));
    }
    assert_false(layout_geometry(320, 200, 16, &got));
    assert_false(layout_geometry(0, 0, 16, &got));
}

CASE(every_size_stays_inside)
{
    assert_false(layout_init(&layout, 59, 25));
    assert_false(layout_init(&layout, 80, 21));
    for (unsigned columns = 60; columns < 130; columns += 7)
        for (unsigned rows = 22; rows < 60; rows += 3) {
            struct layout *exact = malloc(sizeof(*exact));
            assert_true(layout_init(exact, columns, rows));
            for (int i = 0; i < 40; i++)
                layout_finding(exact, "a finding that goes on and on and on and on and on and on and on and on and on "
                                      "and on and on and on");
            layout_log(exact, "a\r\nb\r\n", 6);
            layout_progress(exact, 3, 7);
            layout_verdict(exact, NULL,
                           "A VERDICT LONGER THAN ANY SCREEN IS WIDE, WHICH NOBODY HAS EVER SEEN YET, NOR "
                           "WILL",
                           0, "totals");
            free(exact);
        }
}

int main(void)
{
    return run_cases();
}
