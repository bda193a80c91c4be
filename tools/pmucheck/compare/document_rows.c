/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/compare/document.h"
#include <string.h>

#define OPEN_MOST 8 /* ---- Values */

static void add_value(struct document *d, struct node *parent, bool outlier, const char *text)
{
    node_add(d, parent, NODE_VALUE, text)->class = outlier ? "outlier" : NULL;
}

/* A measurement of many machines: the range of medians, and the outliers. */
static void add_medians(struct document *d, struct node *parent, const struct sheet_row *row)
{
    struct sheet *sheet = d->sheet;
    char room[SHEET_ROOM];
    node_print(d, parent, NODE_VALUE, "medians %s", compare_span(&sheet->arena, sheet, row));
    for (unsigned i = 0; i < row->outliers.count && i < d->size->values; i++) {
        const char *value = sheet_value(sheet, row, row->outliers.item[i], room);
        add_value(
            d, parent, true,
            arena_print(&sheet->arena, "%s: %s", sheet->columns.item[row->outliers.item[i]].name, value ? value : "-"));
    }
    if (row->outliers.count > d->size->values)
        node_print(d, parent, NODE_VALUE, "and %u more", row->outliers.count - d->size->values);
}

/* Each value once, with its columns. The lists of columns are large, and freed afterwards. */
static void add_values(struct document *d, struct node *parent, const struct sheet_row *row)
{
    struct arena *scratch = &d->sheet->scratch;
    struct compare_values values;
    compare_collect(scratch, d->sheet, row, &values);
    for (unsigned i = 0; i < values.list.count && i < d->size->values; i++) {
        const struct compare_value *value = &values.list.item[i];
        const char *who = compare_who(scratch, d->sheet, value);
        add_value(d, parent, value->outlier,
                  document_is_wide(d) ? arena_print(&d->sheet->arena, "%s (%s)", value->text, who)
                                      : arena_print(&d->sheet->arena, "%s: %s", who, value->text));
    }
    if (values.list.count > d->size->values)
        node_print(d, parent, NODE_VALUE, "and %u other values", values.list.count - d->size->values);
    arena_reset(scratch);
}

static void add_told(struct document *d, struct node *parent, const struct sheet_row *row)
{
    if (document_is_wide(d) && row->section == SHEET_MEASURES)
        add_medians(d, parent, row);
    else
        add_values(d, parent, row);
}

/* ---- Causes */

/* The text lists the rows of a cause only with many columns and if they matter: with few columns all rows follow
 * anyway. */
static void add_cause_rows(struct document *d, struct node *fold, const struct overview_cause *cause)
{
    if (!d->size->page && !(document_is_wide(d) && cause->class == OVERVIEW_MATTERS))
        return;
    struct node *list = node_add(d, fold, NODE_LIST, NULL);
    for (unsigned i = 0; i < cause->rows.count && i < d->size->cause_rows; i++) {
        const struct sheet_row *row = &d->sheet->rows.item[cause->rows.item[i]];
        struct node *item = node_add(d, list, NODE_ITEM, NULL);
        node_add(d, item, NODE_NAME, compare_row_name(&d->sheet->arena, row));
        node_add(d, item, NODE_TEXT, ": ");
        add_told(d, item, row);
    }
    node_more(d, list, cause->rows.count, d->size->cause_rows);
}

static void add_cause(struct document *d, struct node *folds, const struct overview_cause *cause)
{
    const struct sheet_row *first = &d->sheet->rows.item[cause->rows.item[0]];
    struct node *fold = node_told(d, folds, NODE_FOLD, first->section),
                *summary = node_add(d, fold, NODE_SUMMARY, NULL);
    fold->open = cause->class == OVERVIEW_MATTERS && cause->rows.count <= OPEN_MOST;
    node_add(d, summary, NODE_NAME, cause->text);
    node_print(d, summary, NODE_TEXT, ": %u row%s%s", cause->rows.count, cause->rows.count == 1 ? "" : "s",
               overview_about(d->sheet, cause));
    if (cause->class == OVERVIEW_MATTERS) {
        node_line(d, fold, "why it matters: ", cause->why);
        node_line(d, fold, "see ", cause->spec);
        node_line(d, fold, "what to do: ", cause->what_to_do);
    }
    add_cause_rows(d, fold, cause);
}

void document_causes(struct document *d, enum overview_class class)
{
    static const char *const title[OVERVIEW_CLASSES] = {"Differences that matter",
                                                        "Differences between models, as expected", "Noise"};
    struct node *folds = NULL;
    unsigned told = 0, rest = 0;
    for (unsigned i = 0; !d->options->chapter && i < d->overview.causes.count; i++) {
        const struct overview_cause *cause = &d->overview.causes.item[i];
        if (cause->class != class)
            continue;
        folds = node_list(d, folds, NODE_FOLDS, title[class]);
        if (told++ < d->size->causes || class == OVERVIEW_MATTERS)
            add_cause(d, folds, cause);
        else
            rest += cause->rows.count;
    }
    if (rest)
        node_print(d, folds, NODE_ITEM, "other causes: %u row%s", rest, rest == 1 ? "" : "s");
}

/* ---- Rows */

static const char *class_of(const char *value, bool outlier)
{
    if (outlier)
        return "outlier";
    return strncmp(value, "fail", 4) == 0 || strncmp(value, "error", 5) == 0 ? "bad" : NULL;
}

/* By the key a phone shows the cells below each other. */
void document_cells(struct document *d, struct node *row, const struct sheet_row *of)
{
    char room[SHEET_ROOM];
    for (unsigned c = 0; c < d->sheet->columns.count; c++) {
        const char *value = sheet_value(d->sheet, of, c, room);
        struct node *cell = node_print(d, row, NODE_CELL, "%s", value ? value : "-");
        cell->class = class_of(cell->text, sheet_outlier(of, c));
        cell->key = compare_key(d->sheet, c);
    }
}

void document_heads(struct document *d, struct node *heads)
{
    for (unsigned c = 0; c < d->sheet->columns.count; c++)
        node_print(d, heads, NODE_HEAD, "%s %s", compare_key(d->sheet, c), d->sheet->columns.item[c].name);
}

static void add_row(struct document *d, struct node *table, const struct sheet_row *row)
{
    struct node *node = node_add(d, table, NODE_ROW, NULL);
    node->section = sheet_section_name[row->section];
    node->differs = row->differs;
    node_add(d, node, NODE_CELL, sheet_section_name[row->section]);
    node_add(d, node, NODE_CELL, row->group);
    node_add(d, node, NODE_CELL, row->name)->width = 32;
    if (d->size->page && !document_is_wide(d))
        document_cells(d, node, row);
    else
        add_told(d, node_add(d, node, NODE_CELL, NULL), row);
}

static struct node *add_table(struct document *d, struct node *parent)
{
    struct node *table = node_add(d, parent, NODE_TABLE, NULL), *heads = node_add(d, table, NODE_HEADS, NULL);
    table->id = "rows";
    table->outline = 2;
    node_add(d, heads, NODE_HEAD, "section");
    node_add(d, heads, NODE_HEAD, "of");
    node_add(d, heads, NODE_HEAD, "what");
    if (!d->size->page || document_is_wide(d))
        node_add(d, heads, NODE_HEAD, "values");
    else
        document_heads(d, heads);
    return table;
}

static void add_plots(struct document *d, struct node *section, const struct compare_options *any)
{
    node_add(d, section, NODE_HEADING, "Distributions");
    node_add(d, section, NODE_PARAGRAPH, "Percent of samples up to each value.");
    struct node *cards = node_add(d, section, NODE_CARDS, NULL);
    cards->class = "cards";
    for_each_item (d->sheet->rows, row) {
        if (!compare_plots(d->sheet, row) || !compare_shows(row, any))
            continue;
        struct node *card = node_add(d, cards, NODE_CARD, NULL);
        card->class = "card";
        card->section = sheet_section_name[row->section];
        card->differs = row->differs;
        card->row = row;
        node_add(d, card, NODE_CAPTION, compare_row_name(&d->sheet->arena, row));
    }
}

/* The page also has the rows that do not differ, and filters them itself; but not the ranges, whose bits have rows. */
static void add_rows(struct document *d, bool open)
{
    const struct compare_options any = {.chapter = d->options->chapter, .all = true};
    struct node *section = node_add(d, d->root, NODE_SECTION, "Rows, one by one"), *table = add_table(d, section);
    section->class = "all-rows";
    section->open = open;
    for_each_item (d->sheet->rows, row)
        if (d->size->page ? compare_shows(row, &any) && !sheet_is_range(row) : compare_shows(row, d->options))
            add_row(d, table, row);
    if (d->size->page)
        add_plots(d, section, &any);
}

void document_rows(struct document *d)
{
    const char *chapter = d->options->chapter;
    bool open = !document_is_wide(d) || d->options->all || chapter;
    unsigned shown = 0;
    for_each_item (d->sheet->rows, row)
        shown += compare_shows(row, d->options);
    if (!shown)
        node_print(d, d->root, NODE_PARAGRAPH, "nothing differs%s%s%s", chapter ? " in " : "", chapter ? chapter : "",
                   d->sheet->machines.count < 2 ? ": there is only one machine" : "");
    if (d->size->page || (open && shown))
        add_rows(d, open);
    if (!open && !d->size->page)
        node_add(d, d->root, NODE_PARAGRAPH, "Row by row: --all, --chapter=NAME, or --format=html");
}
