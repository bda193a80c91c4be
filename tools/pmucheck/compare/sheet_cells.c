/* Cells of a sheet, found by what they are about, and the texts that they share. */
#include "tools/pmucheck/compare/sheet.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RECIPES_MOST 65536 /* a power of two; what machines say beyond is looked at each time */

/* ---- Texts */

static unsigned mix_bytes(const void *bytes, size_t size)
{
    uint64_t value = size, word;
    for (size_t at = 0; at < size; at += sizeof(word)) {
        word = 0;
        memcpy(&word, (const char *)bytes + at, size - at < sizeof(word) ? size - at : sizeof(word));
        value = (value ^ word) * 0x9e3779b97f4a7c15u;
        value ^= value >> 29;
    }
    return (unsigned)(value >> 16);
}

static unsigned mix(unsigned value, const char *text)
{
    return (value ^ mix_bytes(text, strlen(text))) * 16777619u;
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

static struct sheet_group *need_group(struct sheet *sheet, enum sheet_section section, const char *name)
{
    for (unsigned i = 0; i < sheet->groups.count; i++)
        if (sheet->groups.item[i]->section == section && strcmp(sheet->groups.item[i]->name, name) == 0)
            return sheet->groups.item[i];
    struct sheet_group *group = arena_alloc(&sheet->arena, sizeof(*group));
    *LIST_ADD(&sheet->arena, &sheet->groups) = group;
    group->section = section;
    group->name = arena_copy(&sheet->arena, name, strlen(name));
    LIST_ADD(&sheet->arena, &group->variants);
    return group;
}

static struct sheet_row *need_row(struct sheet *sheet, enum sheet_section section, const char *group, const char *name)
{
    struct sheet_row *row = sheet_find(sheet, section, group, name);
    unsigned *chain = chain_of(sheet, section, group, name);
    if (row)
        return row;
    row = LIST_ADD(&sheet->arena, &sheet->rows);
    *row = (struct sheet_row){.section = section, .next = *chain, .of = need_group(sheet, section, group)};
    row->index = row->of->rows++;
    row->group = row->of->name;
    row->name = arena_copy(&sheet->arena, name, strlen(name));
    *chain = sheet->rows.count;
    return row;
}

/* ---- Variants */

static size_t cell_size(const struct sheet_group *group)
{
    return group->section == SHEET_MEASURES ? sizeof(struct sheet_measure) : sizeof(sheet_text);
}

/* A variant has as many cells at least, the new ones telling nothing. */
static void extend(struct sheet *sheet, const struct sheet_group *group, struct sheet_variant *variant, unsigned cells)
{
    size_t size = cell_size(group);
    if (variant->cells >= cells)
        return;
    void *larger = arena_alloc(&sheet->arena, cells * size);
    if (variant->cells)
        memcpy(larger, variant->text, variant->cells * size);
    *variant = (struct sheet_variant){.cells = cells, .text = larger};
}

/* Cells without those at the end that tell nothing: what is told alike is one variant, whatever rows came later. */
static unsigned told_cells(const struct sheet_group *group)
{
    unsigned cells = group->open.cells;
    if (group->section == SHEET_MEASURES)
        while (cells && !group->open.measure[cells - 1].measured)
            cells--;
    else
        while (cells && !group->open.text[cells - 1])
            cells--;
    return cells;
}

static unsigned *variant_slot(const struct sheet_group *group, const void *cells, unsigned count)
{
    size_t size = count * cell_size(group);
    unsigned at = mix_bytes(cells, size) & (group->slots - 1);
    for (; group->slot[at]; at = (at + 1) & (group->slots - 1)) {
        const struct sheet_variant *variant = &group->variants.item[group->slot[at]];
        if (variant->cells == count && memcmp(variant->text, cells, size) == 0)
            break;
    }
    return &group->slot[at];
}

static void widen_variants(struct sheet *sheet, struct sheet_group *group)
{
    group->slots = group->slots ? 2 * group->slots : 8;
    group->slot = arena_alloc(&sheet->arena, group->slots * sizeof(unsigned));
    for (unsigned i = 1; i < group->variants.count; i++)
        *variant_slot(group, group->variants.item[i].text, group->variants.item[i].cells) = i;
}

/* The number of what the open cells tell. */
static unsigned intern_variant(struct sheet *sheet, struct sheet_group *group)
{
    unsigned cells = told_cells(group);
    if (2 * group->variants.count + 2 > group->slots)
        widen_variants(sheet, group);
    unsigned *slot = variant_slot(group, group->open.text, cells);
    if (!*slot) {
        struct sheet_variant *variant = LIST_ADD(&sheet->arena, &group->variants);
        extend(sheet, group, variant, cells);
        memcpy(variant->text, group->open.text, cells * cell_size(group));
        *slot = group->variants.count - 1;
    }
    return *slot;
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
        memset(group->open.text, 0, group->open.cells * cell_size(group));
        group->told = false;
    }
    sheet->open.count = 0;
}

/* The variant that holds the cell, open for being set. */
static struct sheet_variant *open_cells(struct sheet *sheet, const struct sheet_row *row, unsigned column)
{
    struct sheet_group *group = row->of;
    if (column != sheet->column)
        sheet_close(sheet);
    sheet->column = column;
    if (!group->told)
        *LIST_ADD(&sheet->arena, &sheet->open) = group;
    group->told = true;
    extend(sheet, group, &group->open, row->index + 1);
    return &group->open;
}

void sheet_add_row(struct sheet *sheet, struct sheet_group *group, const char *name, const char *const *texts)
{
    const struct sheet_row *row = need_row(sheet, group->section, group->name, name);
    for (unsigned i = 0; i < group->variants.count; i++) {
        extend(sheet, group, &group->variants.item[i], row->index + 1);
        group->variants.item[i].text[row->index] = sheet_intern(sheet, texts[i]);
    }
}

/* ---- Reading them */

/* NULL: the column tells nothing there. */
static const struct sheet_variant *variant_of(const struct sheet_row *row, unsigned column)
{
    const struct sheet_group *group = row->of;
    const unsigned *block =
        column / SHEET_BLOCK < group->blocks.count ? group->blocks.item[column / SHEET_BLOCK] : NULL;
    const struct sheet_variant *variant = &group->variants.item[block ? block[column % SHEET_BLOCK] : 0];
    return row->index < variant->cells ? variant : NULL;
}

sheet_text sheet_number(const struct sheet_row *row, unsigned column)
{
    const struct sheet_variant *variant = row->section == SHEET_MEASURES ? NULL : variant_of(row, column);
    return variant ? variant->text[row->index] : 0;
}

const struct sheet_measure *sheet_measured(const struct sheet_row *row, unsigned column)
{
    const struct sheet_variant *variant = row->section == SHEET_MEASURES ? variant_of(row, column) : NULL;
    return variant && variant->measure[row->index].measured ? &variant->measure[row->index] : NULL;
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

static void set_text(struct sheet *sheet, unsigned column, const struct sheet_row *row, sheet_text text)
{
    sheet_text *cell = &open_cells(sheet, row, column)->text[row->index];
    if (sheet->recording)
        *LIST_ADD(&sheet->arena, &sheet->recipes.item[sheet->recording - 1].told) =
            (struct sheet_told){(unsigned)(row - sheet->rows.item), text};
    const char *told = sheet_text_of(sheet, *cell), *more = sheet_text_of(sheet, text);
    if (!told)
        *cell = text;
    else if (!says(told, more))
        *cell = sheet_intern(sheet, arena_print(&sheet->scratch, "%s; %s", told, more));
}

void sheet_put(struct sheet *sheet, unsigned column, enum sheet_section section, const char *group, const char *name,
               const char *text)
{
    sheet_text number = sheet_intern(sheet, text);
    set_text(sheet, column, need_row(sheet, section, group, name), number);
}

void sheet_set(struct sheet *sheet, unsigned column, enum sheet_section section, const char *group, const char *name,
               const char *format, ...)
{
    va_list args;
    va_start(args, format);
    sheet_put(sheet, column, section, group, name, arena_vprint(&sheet->scratch, format, args));
    va_end(args);
}

/* ---- Recipes */

static unsigned *recipe_slot(const struct sheet *sheet, const void *key, size_t size)
{
    unsigned at = mix_bytes(key, size) & (sheet->recipe_slots - 1);
    for (; sheet->recipe_slot[at]; at = (at + 1) & (sheet->recipe_slots - 1)) {
        const struct sheet_recipe *recipe = &sheet->recipes.item[sheet->recipe_slot[at] - 1];
        if (recipe->size == size && memcmp(recipe->key, key, size) == 0)
            break;
    }
    return &sheet->recipe_slot[at];
}

bool sheet_repeat(struct sheet *sheet, unsigned column, const void *key, size_t size)
{
    if (!sheet->recipe_slots) {
        sheet->recipe_slots = 2 * RECIPES_MOST;
        sheet->recipe_slot = arena_alloc(&sheet->arena, sheet->recipe_slots * sizeof(unsigned));
    }
    unsigned *slot = recipe_slot(sheet, key, size);
    const struct sheet_recipe *recipe = *slot ? &sheet->recipes.item[*slot - 1] : NULL;
    for (unsigned i = 0; recipe && i < recipe->told.count; i++)
        set_text(sheet, column, &sheet->rows.item[recipe->told.item[i].row], recipe->told.item[i].text);
    if (!recipe && sheet->recipes.count < RECIPES_MOST) {
        *LIST_ADD(&sheet->arena, &sheet->recipes) =
            (struct sheet_recipe){.key = arena_copy(&sheet->arena, key, size), .size = size};
        *slot = sheet->recording = sheet->recipes.count;
    }
    return recipe;
}

void sheet_repeated(struct sheet *sheet)
{
    sheet->recording = 0;
}

/* ---- Measurements */

void sheet_set_measure(struct sheet *sheet, unsigned column, const char *group, const char *name,
                       const struct sheet_measure *measure)
{
    struct sheet_row *row = need_row(sheet, SHEET_MEASURES, group, name);
    struct sheet_measure *cell = &open_cells(sheet, row, column)->measure[row->index];
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
