/* Cells of a sheet, found by what they are about, and the texts that they share. */
#include "tools/pmucheck/compare/sheet.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Texts */

static unsigned mix(unsigned value, const char *text)
{
    for (const char *c = text; *c; c++)
        value = (value ^ (unsigned char)*c) * 16777619u;
    return (value ^ 0xff) * 16777619u;
}

static unsigned *slot_of(const struct sheet *sheet, const char *text)
{
    unsigned at = mix(2166136261u, text) & (sheet->text_slots - 1);
    while (sheet->text_slot[at] && strcmp(sheet->texts.item[sheet->text_slot[at] - 1], text) != 0)
        at = (at + 1) & (sheet->text_slots - 1);
    return &sheet->text_slot[at];
}

/* The table is never more than half full; the old one is left in the arena, all of them together as large as the new.
 */
static void widen(struct sheet *sheet)
{
    sheet->text_slots = sheet->text_slots ? 2 * sheet->text_slots : 4096;
    sheet->text_slot = arena_alloc(&sheet->arena, sheet->text_slots * sizeof(unsigned));
    for (unsigned i = 0; i < sheet->texts.count; i++)
        *slot_of(sheet, sheet->texts.item[i]) = i + 1;
}

sheet_text sheet_intern(struct sheet *sheet, const char *text)
{
    if (2 * sheet->texts.count + 2 > sheet->text_slots)
        widen(sheet);
    unsigned *slot = slot_of(sheet, text);
    if (!*slot) {
        *LIST_ADD(&sheet->arena, &sheet->texts) = arena_copy(&sheet->arena, text, strlen(text));
        *slot = sheet->texts.count;
    }
    return *slot;
}

const char *sheet_text_of(const struct sheet *sheet, sheet_text number)
{
    return number ? sheet->texts.item[number - 1] : NULL;
}

/* ---- Rows */

static unsigned *chain_of(struct sheet *sheet, enum sheet_section section, const char *group, const char *name)
{
    return &sheet->chain[mix(mix(2166136261u + section, group), name) % SHEET_CHAINS];
}

struct sheet_row *sheet_find(struct sheet *sheet, enum sheet_section section, const char *group, const char *name)
{
    for (unsigned i = *chain_of(sheet, section, group, name); i; i = sheet->rows.item[i - 1].next) {
        struct sheet_row *row = &sheet->rows.item[i - 1];
        if (row->section == section && strcmp(row->group, group) == 0 && strcmp(row->name, name) == 0)
            return row;
    }
    return NULL;
}

static struct sheet_row *need_row(struct sheet *sheet, enum sheet_section section, const char *group, const char *name)
{
    struct sheet_row *row = sheet_find(sheet, section, group, name);
    unsigned *chain = chain_of(sheet, section, group, name);
    if (row)
        return row;
    row = LIST_ADD(&sheet->arena, &sheet->rows);
    *row = (struct sheet_row){.section = section, .next = *chain};
    row->group = arena_copy(&sheet->arena, group, strlen(group));
    row->name = arena_copy(&sheet->arena, name, strlen(name));
    *chain = sheet->rows.count;
    return row;
}

static union sheet_cells *need_cells(struct sheet *sheet, struct sheet_row *row, unsigned column)
{
    while (row->blocks.count <= column / SHEET_BLOCK)
        *LIST_ADD(&sheet->arena, &row->blocks) = NULL;
    union sheet_cells **block = &row->blocks.item[column / SHEET_BLOCK];
    if (!*block)
        *block = arena_alloc(&sheet->arena,
                             row->section == SHEET_MEASURES ? sizeof((*block)->measure) : sizeof((*block)->text));
    return *block;
}

static const union sheet_cells *cells_of(const struct sheet_row *row, unsigned column)
{
    return column / SHEET_BLOCK < row->blocks.count ? row->blocks.item[column / SHEET_BLOCK] : NULL;
}

sheet_text sheet_number(const struct sheet_row *row, unsigned column)
{
    const union sheet_cells *cells = row->section == SHEET_MEASURES ? NULL : cells_of(row, column);
    return cells ? cells->text[column % SHEET_BLOCK] : 0;
}

const struct sheet_measure *sheet_measured(const struct sheet_row *row, unsigned column)
{
    const union sheet_cells *cells = row->section == SHEET_MEASURES ? cells_of(row, column) : NULL;
    return cells && cells->measure[column % SHEET_BLOCK].measured ? &cells->measure[column % SHEET_BLOCK] : NULL;
}

const char *sheet_value(const struct sheet *sheet, const struct sheet_row *row, unsigned column, char room[SHEET_ROOM])
{
    const struct sheet_measure *m = sheet_measured(row, column);
    if (!m)
        return sheet_text_of(sheet, sheet_number(row, column));
    if (m->min == m->max)
        snprintf(room, SHEET_ROOM, "%.0f", m->median);
    else
        snprintf(room, SHEET_ROOM, "%.0f (%.0f to %.0f)", m->median, m->min, m->max);
    return room;
}

bool sheet_same(const struct sheet_row *row, unsigned a, unsigned b)
{
    const struct sheet_measure *x = sheet_measured(row, a), *y = sheet_measured(row, b);
    if (x && y)
        return x->min == y->min && x->median == y->median && x->max == y->max;
    return !x == !y && sheet_number(row, a) == sheet_number(row, b);
}

bool sheet_outlier(const struct sheet_row *row, unsigned column)
{
    for (unsigned i = 0; i < row->outliers.count && row->outliers.item[i] <= column; i++)
        if (row->outliers.item[i] == column)
            return true;
    return false;
}

/* ---- Setting them */

/* Is the text one of those that stand between semicolons? */
static bool says(const char *whole, const char *text)
{
    size_t length = strlen(text);
    for (const char *part = whole; part; part = strstr(part, "; ") ? strstr(part, "; ") + 2 : NULL)
        if (strncmp(part, text, length) == 0 && (part[length] == 0 || part[length] == ';'))
            return true;
    return false;
}

void sheet_set(struct sheet *sheet, unsigned column, enum sheet_section section, const char *group, const char *name,
               const char *format, ...)
{
    struct arena spare = {0};
    sheet_text *cell = &need_cells(sheet, need_row(sheet, section, group, name), column)->text[column % SHEET_BLOCK];
    va_list args;
    char room[512];
    const char *text = room;
    va_start(args, format);
    int length = vsnprintf(room, sizeof(room), format, args);
    va_end(args);
    if (length >= (int)sizeof(room)) {
        va_start(args, format);
        text = arena_vprint(&spare, format, args);
        va_end(args);
    }
    if (*cell && !says(sheet_text_of(sheet, *cell), text))
        *cell = sheet_intern(sheet, arena_print(&spare, "%s; %s", sheet_text_of(sheet, *cell), text));
    else if (!*cell)
        *cell = sheet_intern(sheet, text);
    arena_free(&spare);
}

void sheet_set_measure(struct sheet *sheet, unsigned column, const char *group, const char *name,
                       const struct sheet_measure *measure)
{
    struct sheet_row *row = need_row(sheet, SHEET_MEASURES, group, name);
    struct sheet_measure *cell = &need_cells(sheet, row, column)->measure[column % SHEET_BLOCK];
    if (!cell->measured) {
        *cell = *measure;
        cell->measured = true;
        return;
    }
    cell->min = fmin(cell->min, measure->min);
    cell->max = fmax(cell->max, measure->max);
}

bool sheet_about(const struct sheet_source *from, const char *cpus)
{
    return !cpus || !from->core || facts_cpus_meet(cpus, from->core->cpus);
}

bool sheet_virtual(const struct sheet *sheet, const struct sheet_column *column)
{
    return strncmp(sheet->machines.item[column->machine].pmu, "virtual:", 8) == 0;
}
