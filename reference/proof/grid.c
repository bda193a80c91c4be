/* SPDX-License-Identifier: BSD-2-Clause */
#include "reference/proof/grid.h"
#include <stdlib.h>
#include <string.h>

static const struct grid_letter defect_letters[] = {
    {'F', "fail", "the check failed"},
    {'R', "review", "it failed now and then, or a person has to look"},
    {'K', "known", "it failed as a published erratum of this CPU says"},
    {0, NULL, NULL},
};
static const struct grid_letter variation_letters[] = {
    {'p', "pass", "passed"},
    {'m', "measured", "passed, and measured"},
    {'s', "skip", "a precondition was missing"},
    {'k', "known", "failed as a published erratum of this CPU says"},
    {'r', "review", "false alarm: a person would have to look"},
    {'f', "fail", "false alarm"},
    {'e', "error", "could not do its work, as it must be under a hazard"},
    {0, NULL, NULL},
};

const char *const grid_heads[GRID_FIELDS] = {"defect", "profile", "errata", "tests", "why it may be known alone"};

const struct grid_letter *grid_letters(enum grid_kind kind)
{
    return kind == GRID_DEFECTS ? defect_letters : variation_letters;
}

static bool same(const char *name, struct span span)
{
    return strlen(name) == span.length && memcmp(name, span.text, span.length) == 0;
}

int grid_row(struct grid *grid, struct span test, struct span label)
{
    for (unsigned i = 0; i < grid->rows; i++)
        if (same(grid->row[i].test, test) && same(grid->row[i].label, label))
            return (int)i;
    if (grid->rows == GRID_ROWS || test.length >= GRID_NAME || label.length >= GRID_NAME) {
        grid->overflowed = true;
        return -1;
    }
    span_copy(grid->row[grid->rows].test, GRID_NAME, test);
    span_copy(grid->row[grid->rows].label, GRID_NAME, label);
    return (int)grid->rows++;
}

int grid_column(struct grid *grid, struct span name)
{
    for (unsigned i = 0; i < grid->columns; i++)
        if (same(grid->column[i].name, name))
            return (int)i;
    if (grid->columns == GRID_COLUMNS || name.length >= GRID_NAME) {
        grid->overflowed = true;
        return -1;
    }
    span_copy(grid->column[grid->columns].name, GRID_NAME, name);
    return (int)grid->columns++;
}

/* ---- Sorting: first positions are sorted, then each row and column is moved once. */

static const struct grid *sorted;

static int by_row(const void *a, const void *b)
{
    const struct grid_row *x = &sorted->row[*(const unsigned *)a], *y = &sorted->row[*(const unsigned *)b];
    int tests = strcmp(x->test, y->test);
    return tests ? tests : strcmp(x->label, y->label);
}

static int by_order(const void *a, const void *b)
{
    const struct grid_column *x = &sorted->column[*(const unsigned *)a], *y = &sorted->column[*(const unsigned *)b];
    return x->order != y->order ? (x->order > y->order) - (x->order < y->order) : strcmp(x->name, y->name);
}

static int by_fields(const void *a, const void *b)
{
    const struct grid_hidden *x = a, *y = b;
    int defects = strcmp(x->field[GRID_DEFECT], y->field[GRID_DEFECT]);
    return defects ? defects : strcmp(x->field[GRID_PROFILE], y->field[GRID_PROFILE]);
}

void grid_sort(struct grid *grid)
{
    static struct grid old;
    static unsigned rows[GRID_ROWS], columns[GRID_COLUMNS];
    old = *grid;
    sorted = &old;
    for (unsigned i = 0; i < grid->rows; i++)
        rows[i] = i;
    for (unsigned i = 0; i < grid->columns; i++)
        columns[i] = i;
    qsort(rows, grid->rows, sizeof(rows[0]), by_row);
    qsort(grid->hidden, grid->hiddens, sizeof(grid->hidden[0]), by_fields);
    qsort(columns, grid->columns, sizeof(columns[0]), by_order);
    for (unsigned i = 0; i < grid->columns; i++)
        grid->column[i] = old.column[columns[i]];
    for (unsigned i = 0; i < grid->rows; i++) {
        grid->row[i] = old.row[rows[i]];
        for (unsigned j = 0; j < grid->columns; j++)
            grid->cell[i][j] = old.cell[rows[i]][columns[j]];
    }
}

/* ---- Totals */

static bool grid_bad_letter(enum grid_kind kind, char letter)
{
    return letter && strchr(kind == GRID_DEFECTS ? "FRK" : "rfe", letter);
}

unsigned grid_row_total(const struct grid *grid, unsigned row)
{
    unsigned total = 0;
    for (unsigned i = 0; i < grid->columns; i++)
        total += grid_bad_letter(grid->kind, grid->cell[row][i]);
    return total;
}

unsigned grid_column_total(const struct grid *grid, unsigned column)
{
    unsigned total = 0;
    for (unsigned i = 0; i < grid->rows; i++)
        total += grid_bad_letter(grid->kind, grid->cell[i][column]);
    return total;
}

bool grid_unproven(const struct grid *grid, unsigned row)
{
    return grid->kind == GRID_DEFECTS && grid->parts && grid->row[row].unproven == grid->parts;
}

bool grid_groundless(const struct grid_hidden *hidden)
{
    return strcmp(hidden->field[GRID_REASON], "none") == 0 || strcmp(hidden->field[GRID_REASON], GRID_UNTOLD) == 0;
}

void grid_origin(const struct grid *grid, char *text, size_t size)
{
    bool one = grid->kind != GRID_HIDDEN;
    snprintf(text, size, "pmucheck %s%s%s", grid->version, one ? ", pmu=" : "", one ? grid->pmu : "");
}

void grid_summary(const struct grid *grid, char *text, size_t size)
{
    unsigned bad = 0, unproven = 0, groundless = 0;
    for (unsigned i = 0; i < grid->columns; i++)
        bad += grid->column[i].bad;
    for (unsigned i = 0; i < grid->rows; i++)
        unproven += grid_unproven(grid, i);
    for (unsigned i = 0; i < grid->hiddens; i++)
        groundless += grid_groundless(&grid->hidden[i]);
    if (grid->kind == GRID_DEFECTS)
        snprintf(text, size, "%u defects and errata, %u of them not as they should be; %u check labels, %u unproven",
                 grid->columns, bad, grid->rows, unproven);
    else if (grid->kind == GRID_HIDDEN)
        snprintf(
            text, size,
            "%u parts of profiles, %u not as they should be; %u times a defect is known alone, %u without a reason",
            grid->columns, bad, grid->hiddens, groundless);
    else
        snprintf(text, size, "%u variations and hazards, %u of them with a false alarm; %u tests", grid->columns, bad,
                 grid->rows);
}
