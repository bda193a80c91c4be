/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads those lines of a proof's log that make a matrix, or the table of hidden defects. */
#include "reference/proof/grid.h"
#include <string.h>

/* The state of reading one log: the rows of its vectors' positions, and how many results were read. */
struct reading {
    int row[GRID_ROWS];
    unsigned rows, results;
};

/* Takes the next item of "a,b,c"; false at the end. */
static bool next_item(struct span *list, struct span *item)
{
    if (list->length == 0)
        return false;
    const char *comma = memchr(list->text, ',', list->length);
    *item = (struct span){list->text, comma ? (size_t)(comma - list->text) : list->length};
    list->text += item->length + (comma != NULL);
    list->length -= item->length + (comma != NULL);
    return true;
}

static char letter_of(struct span outcome)
{
    struct span rest = outcome;
    if (span_skip(&rest, "known"))
        return 'K';
    return span_skip(&rest, "review") ? 'R' : 'F';
}

static void read_caught(struct grid *grid, struct span line)
{
    struct span labels = span_value(line, "labels"), label;
    int column = grid_column(grid, span_value(line, "defect"));
    char letter = letter_of(span_value(line, "outcome"));
    while (next_item(&labels, &label)) {
        int row = grid_row(grid, span_value(line, "test"), label);
        if (row >= 0 && column >= 0)
            grid->cell[row][column] = letter;
    }
}

static void read_order(struct grid *grid, struct reading *reading, struct span line)
{
    struct span tests = span_value(line, "tests"), test;
    while (next_item(&tests, &test) && reading->rows < GRID_ROWS)
        reading->row[reading->rows++] = grid_row(grid, test, (struct span){"", 0});
}

static void read_results(struct grid *grid, const struct reading *reading, struct span line)
{
    struct span results = span_value(line, "results");
    int column = grid_column(grid, span_value(line, "variation"));
    for (size_t i = 0; i < results.length && i < reading->rows; i++)
        if (column >= 0 && reading->row[i] >= 0)
            grid->cell[reading->row[i]][column] = results.text[i];
}

/* The value may be in quotes. */
static void read_field(char text[GRID_LINE], struct span line, const char *key)
{
    struct span value = span_value(line, key), quoted = {value.text, (size_t)(line.text + line.length - value.text)};
    if (value.length && value.text[0] == '"')
        span_quoted(&quoted, text, GRID_LINE);
    else
        span_copy(text, GRID_LINE, value);
    if (!text[0])
        strcpy(text, GRID_UNTOLD);
}

static void read_hidden(struct grid *grid, struct span line)
{
    static const char *const keys[GRID_FIELDS] = {"defect", "profile", "errata", "tests", "reason"};
    if (grid->hiddens == GRID_LINES) {
        grid->overflowed = true;
        return;
    }
    struct grid_hidden *hidden = &grid->hidden[grid->hiddens++];
    for (unsigned i = 0; i < GRID_FIELDS; i++)
        read_field(hidden->field[i], line, keys[i]);
}

static void read_unproven(struct grid *grid, struct span line)
{
    const char *blank = memchr(line.text, ' ', line.length);
    struct span test = {line.text, blank ? (size_t)(blank - line.text) : line.length};
    int row = grid_row(grid, test, span_value(line, "label"));
    if (row >= 0)
        grid->row[row].unproven++;
}

static void add_note(struct grid *grid, struct span line)
{
    for (unsigned i = 0; i < grid->notes; i++)
        if (strlen(grid->note[i]) == line.length && memcmp(grid->note[i], line.text, line.length) == 0)
            return;
    if (grid->notes == GRID_LINES)
        grid->overflowed = true;
    else
        span_copy(grid->note[grid->notes++], GRID_LINE, line);
}

static bool has_at(struct span name)
{
    return memchr(name.text, '@', name.length);
}

/* "3 NAME caught by ...": parts take turns, so the n-th results of all parts are neighbours; an erratum's follows. */
static void read_result(struct grid *grid, struct reading *reading, bool ok, struct span rest)
{
    unsigned number;
    if (!span_number(&rest, &number) || !span_skip(&rest, " "))
        return;
    const char *blank = memchr(rest.text, ' ', rest.length);
    struct span name = {rest.text, blank ? (size_t)(blank - rest.text) : rest.length}, none = rest;
    if (span_skip(&none, "none") || span_skip(&none, "labels")) {
        if (!ok)
            add_note(grid, rest);
        return;
    }
    int column = grid_column(grid, name);
    if (column < 0)
        return;
    reading->results += !has_at(name);
    rest.text += name.length + (blank != NULL);
    rest.length -= name.length + (blank != NULL);
    grid->column[column].order = reading->results * GRID_PARTS + grid->parts;
    grid->column[column].bad = !ok;
    span_copy(grid->column[column].result, GRID_LINE, rest);
}

static void read_line(struct grid *grid, struct reading *reading, struct span line)
{
    struct span rest = line;
    if (span_skip(&rest, "# matrix"))
        read_caught(grid, rest);
    else if (span_skip(&rest, "# vector tests="))
        read_order(grid, reading, line);
    else if (span_skip(&rest, "# vector"))
        read_results(grid, reading, rest);
    else if (span_skip(&rest, "# hidden"))
        read_hidden(grid, rest);
    else if (span_skip(&rest, "# unproven "))
        read_unproven(grid, rest);
    else if (span_skip(&rest, "# unprovable ") || span_skip(&rest, "# untried "))
        add_note(grid, line);
    else if (span_skip(&rest, "# run "))
        span_copy(grid->pmu, GRID_NAME, span_value(line, "pmu"));
    else if (span_skip(&rest, "# pmucheck "))
        span_copy(grid->version, GRID_LINE, rest);
    else if (span_skip(&rest, "ok "))
        read_result(grid, reading, true, rest);
    else if (span_skip(&rest, "not ok "))
        read_result(grid, reading, false, rest);
}

void grid_read(struct grid *grid, const char *text, size_t size)
{
    static struct reading reading;
    memset(&reading, 0, sizeof(reading));
    for (struct span rest = {text, size}, line; span_line(&rest, &line);)
        read_line(grid, &reading, line);
    grid->parts++;
}
