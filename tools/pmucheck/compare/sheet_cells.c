/* SPDX-License-Identifier: BSD-2-Clause */
/* The cells of a sheet, found by their rows' names, and the texts that they share. */
#include "tools/pmucheck/compare/sheet.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define RECIPES_MOST 65536 /* further lines are parsed each time */

/* ---- Texts */

sheet_text sheet_intern(struct sheet *sheet, const char *text)
{
    return index_number(&sheet->arena, &sheet->texts, text, strlen(text));
}

const char *sheet_text_of(const struct sheet *sheet, sheet_text number)
{
    return number ? sheet->texts.keys.item[number - 1].bytes : NULL;
}

const char *sheet_keep(struct sheet *sheet, const char *text)
{
    return sheet_text_of(sheet, sheet_intern(sheet, text ? text : ""));
}

/* ---- Rows */

/* A unique key, because names in a log have no newlines. */
static const char *row_key(struct sheet *sheet, enum sheet_section section, const char *group, const char *name)
{
    return arena_print(&sheet->scratch, "%u\n%s\n%s", section, group, name);
}

struct sheet_row *sheet_find(struct sheet *sheet, enum sheet_section section, const char *group, const char *name)
{
    const char *key = row_key(sheet, section, group, name);
    unsigned number = index_find(&sheet->row_names, key, strlen(key));
    return number ? &sheet->rows.item[number - 1] : NULL;
}

const struct sheet_row *sheet_row_of(const struct sheet *sheet, enum sheet_section section, const char *group,
                                     const char *name)
{
    size_t length = strlen(name);
    for_each_item (sheet->rows, row)
        if (row->section == section && strcmp(row->group, group) == 0 && strncmp(row->name, name, length) == 0 &&
            (!row->name[length] || (section == SHEET_MEASURES && row->name[length] == ' ')))
            return row;
    return NULL;
}

static struct sheet_group *need_group(struct sheet *sheet, enum sheet_section section, const char *name)
{
    for (unsigned i = 0; i < sheet->groups.count; i++)
        if (sheet->groups.item[i]->section == section && strcmp(sheet->groups.item[i]->name, name) == 0)
            return sheet->groups.item[i];
    struct sheet_group *group = arena_alloc(&sheet->arena, sizeof(*group));
    *LIST_ADD(&sheet->arena, &sheet->groups) = group;
    group->section = section;
    group->name = arena_copy(&sheet->arena, name, strlen(name));
    index_number(&sheet->arena, &group->variants, "", 0);
    return group;
}

static struct sheet_row *need_row(struct sheet *sheet, enum sheet_section section, const char *group, const char *name)
{
    const char *key = row_key(sheet, section, group, name);
    unsigned number = index_number(&sheet->arena, &sheet->row_names, key, strlen(key));
    if (number <= sheet->rows.count)
        return &sheet->rows.item[number - 1];
    struct sheet_row *row = LIST_ADD(&sheet->arena, &sheet->rows);
    *row = (struct sheet_row){.section = section, .of = need_group(sheet, section, group)};
    row->index = row->of->rows++;
    row->group = row->of->name;
    row->name = arena_copy(&sheet->arena, name, strlen(name));
    return row;
}

/* ---- Variants */

static unsigned cell_size(const struct sheet_group *group)
{
    return group->section == SHEET_MEASURES ? sizeof(struct sheet_measure) : sizeof(sheet_text);
}

/* Grows to at least `count` cells; the new ones are empty. */
static void extend(struct sheet *sheet, const struct sheet_group *group, struct index_key *cells, unsigned count)
{
    unsigned size = count * cell_size(group);
    if (cells->size >= size)
        return;
    void *larger = arena_alloc(&sheet->arena, size);
    if (cells->size)
        memcpy(larger, cells->bytes, cells->size);
    cells->bytes = larger;
    cells->size = size;
}

/* The number of the variant that equals the open cells. Empty cells at the end are cut off, so that later rows do not
 * matter. */
static unsigned intern_variant(struct sheet *sheet, struct sheet_group *group)
{
    const char *bytes = group->open.bytes;
    unsigned size = group->open.size, cell = cell_size(group);
    while (size && !bytes[size - 1])
        size--;
    return index_number(&sheet->arena, &group->variants, bytes, (size + cell - 1) / cell * cell) - 1;
}

static void set_variant(struct sheet *sheet, struct sheet_group *group, unsigned column, unsigned number)
{
    while (group->blocks.count <= column / SHEET_BLOCK)
        *LIST_ADD(&sheet->arena, &group->blocks) = NULL;
    unsigned **block = &group->blocks.item[column / SHEET_BLOCK];
    if (!*block)
        *block = arena_alloc(&sheet->arena, SHEET_BLOCK * sizeof(unsigned));
    (*block)[column % SHEET_BLOCK] = number;
}

void sheet_close(struct sheet *sheet)
{
    for (unsigned i = 0; i < sheet->open.count; i++) {
        struct sheet_group *group = sheet->open.item[i];
        set_variant(sheet, group, sheet->column, intern_variant(sheet, group));
        memset(group->open.bytes, 0, group->open.size);
        group->told = false;
    }
    sheet->open.count = 0;
}

void sheet_open(struct sheet *sheet, unsigned column)
{
    sheet_close(sheet);
    sheet->column = column;
}

/* Opens the cell for writing. */
static void *open_cell(struct sheet *sheet, const struct sheet_row *row)
{
    struct sheet_group *group = row->of;
    if (!group->told)
        *LIST_ADD(&sheet->arena, &sheet->open) = group;
    group->told = true;
    extend(sheet, group, &group->open, row->index + 1);
    return (char *)group->open.bytes + row->index * cell_size(group);
}

/* Called when all columns are filled, so that the index of variants is no longer used. */
void sheet_add_row(struct sheet *sheet, struct sheet_group *group, const char *name, const char *const *texts)
{
    const struct sheet_row *row = need_row(sheet, group->section, group->name, name);
    for (unsigned i = 0; i < group->variants.keys.count; i++) {
        extend(sheet, group, &group->variants.keys.item[i], row->index + 1);
        ((sheet_text *)group->variants.keys.item[i].bytes)[row->index] = sheet_intern(sheet, texts[i]);
    }
}

/* ---- Reading cells */

/* The variant's cell for the row; NULL if it is empty. */
static const void *variant_cell(const struct sheet_row *row, unsigned variant)
{
    const struct index_key *cells = &row->of->variants.keys.item[variant];
    unsigned size = cell_size(row->of), at = row->index * size;
    return at < cells->size ? (const char *)cells->bytes + at : NULL;
}

static unsigned variant_of(const struct sheet_row *row, unsigned column)
{
    const struct sheet_group *group = row->of;
    const unsigned *block =
        column / SHEET_BLOCK < group->blocks.count ? group->blocks.item[column / SHEET_BLOCK] : NULL;
    return block ? block[column % SHEET_BLOCK] : 0;
}

sheet_text sheet_variant_text(const struct sheet_row *row, unsigned variant)
{
    const sheet_text *cell = row->section == SHEET_MEASURES ? NULL : variant_cell(row, variant);
    return cell ? *cell : 0;
}

sheet_text sheet_number(const struct sheet_row *row, unsigned column)
{
    return sheet_variant_text(row, variant_of(row, column));
}

const struct sheet_measure *sheet_measured(const struct sheet_row *row, unsigned column)
{
    const struct sheet_measure *cell =
        row->section == SHEET_MEASURES ? variant_cell(row, variant_of(row, column)) : NULL;
    return cell && cell->measured ? cell : NULL;
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

/* ---- Setting cells */

/* Is the text one of the parts between semicolons? */
static bool says(const char *whole, const char *text)
{
    size_t length = strlen(text);
    for (const char *part = whole; part; part = strstr(part, "; ") ? strstr(part, "; ") + 2 : NULL)
        if (strncmp(part, text, length) == 0 && (part[length] == 0 || part[length] == ';'))
            return true;
    return false;
}

static void set_text(struct sheet *sheet, const struct sheet_row *row, sheet_text text)
{
    sheet_text *cell = open_cell(sheet, row);
    if (sheet->recording)
        *LIST_ADD(&sheet->arena, &sheet->recipes.item[sheet->recording - 1].told) =
            (struct sheet_told){(unsigned)(row - sheet->rows.item), text};
    const char *told = sheet_text_of(sheet, *cell), *more = sheet_text_of(sheet, text);
    if (!told)
        *cell = text;
    else if (!says(told, more))
        *cell = sheet_intern(sheet, arena_print(&sheet->scratch, "%s; %s", told, more));
}

void sheet_put(struct sheet *sheet, enum sheet_section section, const char *group, const char *name, const char *text)
{
    sheet_text number = sheet_intern(sheet, text);
    set_text(sheet, need_row(sheet, section, group, name), number);
}

void sheet_set(struct sheet *sheet, enum sheet_section section, const char *group, const char *name, const char *format,
               ...)
{
    va_list args;
    va_start(args, format);
    sheet_put(sheet, section, group, name, arena_vprint(&sheet->scratch, format, args));
    va_end(args);
}

/* ---- Recipes */

bool sheet_repeat(struct sheet *sheet, const void *key, size_t size)
{
    unsigned number = index_find(&sheet->recipe_keys, key, size);
    if (!number && sheet->recipes.count < RECIPES_MOST) {
        LIST_ADD(&sheet->arena, &sheet->recipes);
        sheet->recording = index_number(&sheet->arena, &sheet->recipe_keys, key, size);
    }
    const struct sheet_recipe *recipe = number ? &sheet->recipes.item[number - 1] : NULL;
    for (unsigned i = 0; recipe && i < recipe->told.count; i++)
        set_text(sheet, &sheet->rows.item[recipe->told.item[i].row], recipe->told.item[i].text);
    return recipe;
}

void sheet_repeated(struct sheet *sheet)
{
    sheet->recording = 0;
}

/* ---- Measurements */

void sheet_set_measure(struct sheet *sheet, const char *group, const char *name, const struct sheet_measure *measure)
{
    struct sheet_row *row = need_row(sheet, SHEET_MEASURES, group, name);
    struct sheet_measure *cell = open_cell(sheet, row);
    if (!cell->measured) {
        *cell = *measure;
        cell->measured = 1;
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
