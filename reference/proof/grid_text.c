/* SPDX-License-Identifier: BSD-2-Clause */
/* A matrix as plain text: one character per cell, the columns' names written downwards. Hidden defects: a line each. */
#include "reference/proof/grid.h"
#include <string.h>

static int name_width(const struct grid *grid)
{
    size_t width = 0;
    for (unsigned i = 0; i < grid->rows; i++) {
        size_t length = strlen(grid->row[i].test) + strlen(grid->row[i].label) + 1;
        width = length > width ? length : width;
    }
    return (int)width;
}

static void write_heads(const struct grid *grid, FILE *file, int width)
{
    size_t height = 0;
    for (unsigned i = 0; i < grid->columns; i++)
        height = strlen(grid->column[i].name) > height ? strlen(grid->column[i].name) : height;
    for (size_t y = 0; y < height; y++) {
        fprintf(file, "%*s  ", width, "");
        for (unsigned i = 0; i < grid->columns; i++) {
            size_t length = strlen(grid->column[i].name), above = height - length;
            fputc(y < above ? ' ' : grid->column[i].name[y - above], file);
        }
        fputc('\n', file);
    }
}

static void write_row(const struct grid *grid, FILE *file, unsigned row, int width)
{
    char name[2 * GRID_NAME];
    const struct grid_row *r = &grid->row[row];
    snprintf(name, sizeof(name), "%s%s%s", r->test, r->label[0] ? "/" : "", r->label);
    fprintf(file, "%-*s  ", width, name);
    for (unsigned i = 0; i < grid->columns; i++)
        fputc(grid->cell[row][i] ? grid->cell[row][i] : '.', file);
    fprintf(file, "  %u%s\n", grid_row_total(grid, row), grid_unproven(grid, row) ? " unproven" : "");
}

static void write_matrix(const struct grid *grid, FILE *file)
{
    int width = name_width(grid);
    for (const struct grid_letter *l = grid_letters(grid->kind); l->letter; l++)
        fprintf(file, "  %c  %s: %s\n", l->letter, l->word, l->meaning);
    fputc('\n', file);
    write_heads(grid, file, width);
    for (unsigned i = 0; i < grid->rows; i++)
        write_row(grid, file, i, width);
}

static void write_hidden(const struct grid *grid, FILE *file)
{
    static const int width[GRID_FIELDS] = {40, 16, 12, 40};
    for (unsigned row = 0; row <= grid->hiddens; row++)
        for (unsigned i = 0; i < GRID_FIELDS; i++)
            fprintf(file, "%-*s%c", width[i], row ? grid->hidden[row - 1].field[i] : grid_heads[i],
                    i + 1 < GRID_FIELDS ? ' ' : '\n');
}

static void write_results(const struct grid *grid, FILE *file)
{
    for (unsigned i = 0; i < grid->columns; i++)
        fprintf(file, "%s %s %s\n", grid->column[i].bad ? "not ok" : "ok    ", grid->column[i].name,
                grid->column[i].result);
    for (unsigned i = 0; i < grid->notes; i++)
        fprintf(file, "%s\n", grid->note[i]);
}

void grid_write_text(const struct grid *grid, FILE *file)
{
    char origin[2 * GRID_LINE], summary[GRID_LINE];
    grid_origin(grid, origin, sizeof(origin));
    grid_summary(grid, summary, sizeof(summary));
    fprintf(file, "%s\n%s\n\n", origin, summary);
    if (grid->kind == GRID_HIDDEN)
        write_hidden(grid, file);
    else
        write_matrix(grid, file);
    fputc('\n', file);
    write_results(grid, file);
}
