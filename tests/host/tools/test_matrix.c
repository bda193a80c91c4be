/* SPDX-License-Identifier: BSD-2-Clause */
#include "reference/proof/grid.h"
#include "tests/host/case.h"

#include <stdlib.h>
#include <string.h>

static const char part_1[] = "# pmucheck version=1 commit=abc log=1\r\n"
                             "# run pmu=reference:skylake prove=1/2 tests=2 deviations=2\r\n"
                             "ok 1 none\r\n"
                             "# matrix defect=first test=gp.x labels=a,b outcome=fail\r\n"
                             "# matrix defect=first test=pmi.y labels=c outcome=review\r\n"
                             "ok 2 first caught by gp.x/a,gp.x/b,pmi.y/c\r\n"
                             "# matrix defect=first@000506e3 test=gp.x labels=a outcome=known\r\n"
                             "ok 3 first@000506e3 known by SKL1: gp.x/a\r\n"
                             "not ok 4 third not caught\r\n"
                             "# unproven gp.x label=z\r\n"
                             "# unproven gp.x label=s\r\n";
static const char part_2[] = "ok 1 none\n"
                             "# matrix defect=<second> test=gp.x labels=s outcome=fail\n"
                             "ok 2 <second> caught by \"gp.x/s\" & more\n"
                             "# unproven gp.x label=z\n"
                             "# unprovable smm.q reason=\"needs a real SMM\"";

static const char hiding_1[] = "# pmucheck version=1 commit=abc log=1\r\n"
                               "# run pmu=reference:skylake prove-excuses=1/2 tests=9 deviations=2\r\n"
                               "# hidden defect=late profile=nehalem errata=AAJ1,AAJ2 tests=gp.x,pmi.y "
                               "reason=\"no rate: \\\"<2>\\\" \\\\ less\"\r\n"
                               "# hidden defect=late profile=haswell errata=HSD1 tests=gp.x reason=mimics\r\n"
                               "ok 1 nehalem excuses what mimics its errata\r\n"
                               "ok 2 haswell:1-3 excuses what mimics its errata\r\n";
static const char hiding_2[] = "# hidden defect=early profile=haswell errata=HSD1 tests=gp.x reason=none\n"
                               "not ok 1 haswell:4-9 only known: early\n"
                               "# hidden defect=third profile=bro";

static struct grid *read_parts(enum grid_kind kind, const char *first, const char *second)
{
    struct grid *grid = calloc(1, sizeof(*grid));
    grid->kind = kind;
    grid_read(grid, first, strlen(first));
    grid_read(grid, second, strlen(second));
    grid_sort(grid);
    assert_false(grid->overflowed);
    return grid;
}

static char cell(struct grid *grid, const char *test, const char *label, const char *column)
{
    int row = grid_row(grid, (struct span){test, strlen(test)}, (struct span){label, strlen(label)});
    return grid->cell[row][grid_column(grid, (struct span){column, strlen(column)})];
}

CASE(defects)
{
    struct grid *grid = read_parts(GRID_DEFECTS, part_1, part_2);
    assert_int_equal(grid->columns, 4);
    assert_int_equal(grid->rows, 5);
    /* The parts take turns, and an erratum comes after its defect. */
    assert_string_equal(grid->column[0].name, "first");
    assert_string_equal(grid->column[1].name, "first@000506e3");
    assert_string_equal(grid->column[2].name, "<second>");
    assert_string_equal(grid->column[3].name, "third");
    assert_true(grid->column[3].bad);
    assert_int_equal(cell(grid, "gp.x", "a", "first"), 'F');
    assert_int_equal(cell(grid, "gp.x", "a", "first@000506e3"), 'K');
    assert_int_equal(cell(grid, "pmi.y", "c", "first"), 'R');
    assert_int_equal(cell(grid, "gp.x", "s", "first"), 0);
    assert_int_equal(grid_column_total(grid, 0), 3);
    assert_int_equal(grid_row_total(grid, 0), 2);
    /* A check is unproven only if no part has failed it. */
    assert_string_equal(grid->row[2].label, "s");
    assert_false(grid_unproven(grid, 2));
    assert_string_equal(grid->row[3].label, "z");
    assert_true(grid_unproven(grid, 3));
    assert_int_equal(grid->notes, 1);
    free(grid);
}

CASE(variations)
{
    struct grid *grid = read_parts(GRID_VARIATIONS,
                                   "# vector tests=gp.x,gp.y\n# vector tests=pmi.z\n"
                                   "# vector variation=one results=pmf\nnot ok 1 one pmi.z=fail\n",
                                   "# vector tests=gp.x,gp.y,pmi.z\n# vector variation=two results=ske\n"
                                   "ok 1 two 0 pass, 1 known, 1 skip, 1 error\n");
    assert_int_equal(grid->rows, 3);
    assert_int_equal(cell(grid, "pmi.z", "", "one"), 'f');
    assert_int_equal(cell(grid, "gp.y", "", "two"), 'k');
    assert_int_equal(cell(grid, "pmi.z", "", "two"), 'e');
    assert_int_equal(grid_column_total(grid, 0), 1);
    free(grid);
}

static char *written(const struct grid *grid)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    grid_write_text(grid, file);
    fclose(file);
    return text;
}

CASE(text_form)
{
    struct grid *grid = read_parts(GRID_DEFECTS, part_1, part_2);
    char *text = written(grid);
    assert_non_null(strstr(text, "\ngp.x/a   FK..  2\n"));
    assert_non_null(strstr(text, "\ngp.x/z   ....  0 unproven\n"));
    assert_non_null(strstr(text, "\nnot ok third not caught\n"));
    assert_non_null(strstr(text, "4 defects and errata, 1 of them not as they should be; 5 check labels, 1 unproven"));
    free(text);
    free(grid);
}

CASE(hidden)
{
    static const char *const expected[][GRID_FIELDS] = {
        {"early", "haswell", "HSD1", "gp.x", "none"},
        {"late", "haswell", "HSD1", "gp.x", "mimics"},
        {"late", "nehalem", "AAJ1,AAJ2", "gp.x,pmi.y", "no rate: \"<2>\" \\ less"},
        {"third", "bro", "?", "?", "?"}, /* its line was cut */
    };
    struct grid *grid = read_parts(GRID_HIDDEN, hiding_1, hiding_2);
    assert_int_equal(grid->hiddens, 4);
    for (unsigned row = 0; row < grid->hiddens; row++) {
        for (unsigned i = 0; i < GRID_FIELDS; i++)
            assert_string_equal(grid->hidden[row].field[i], expected[row][i]);
        assert_int_equal(grid_groundless(&grid->hidden[row]), row == 0 || row == 3);
    }
    free(grid);
}

CASE(hidden_forms)
{
    static const char summary[] =
        "3 parts of profiles, 1 not as they should be; 4 times a defect is known alone, 2 without a reason";
    struct grid *grid = read_parts(GRID_HIDDEN, hiding_1, hiding_2);
    char *text = written(grid);
    assert_int_equal(strncmp(text, "pmucheck version=1 commit=abc log=1\n3 parts of ", 47), 0);
    assert_non_null(strstr(text, summary));
    assert_non_null(strstr(text, " AAJ1,AAJ2    gp.x,pmi.y  "));
    assert_non_null(strstr(text, "\nnot ok haswell:4-9 only known: early\n"));
    free(text);
    free(grid);
}

CASE(too_much)
{
    static struct grid columns, hiddens;
    char line[64];
    for (unsigned i = 0; i <= GRID_COLUMNS; i++) {
        snprintf(line, sizeof(line), "# matrix defect=d%u test=t labels=l outcome=fail\n", i);
        grid_read(&columns, line, strlen(line));
    }
    assert_int_equal(columns.columns, GRID_COLUMNS);
    assert_true(columns.overflowed);
    for (unsigned i = 0; i <= GRID_LINES; i++)
        grid_read(&hiddens, "# hidden", 8);
    assert_int_equal(hiddens.hiddens, GRID_LINES);
    assert_true(hiddens.overflowed);
}

int main(void)
{
    return run_cases();
}
