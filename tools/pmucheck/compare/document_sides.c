/* SPDX-License-Identifier: BSD-2-Clause */
/* Small tables of machines side by side: the uses for which each PMU is good, and what warm resets handed over. */
#include "tools/pmucheck/compare/document.h"
#include <string.h>

static bool is_in(const struct sheet_row *row, enum sheet_section section, const char *group)
{
    return row->section == section && strcmp(row->group, group) == 0;
}

/* A cell for each machine, or each value once with its machines if there are many. */
static void add_values(struct document *d, struct node *row, const struct sheet_row *of)
{
    struct sheet *sheet = d->sheet;
    if (d->size->page && !document_is_wide(d)) {
        document_cells(d, row, of);
        return;
    }
    struct compare_values values;
    struct node *cell = node_add(d, row, d->size->page ? NODE_CELL : NODE_TEXT, NULL);
    compare_collect(&sheet->scratch, sheet, of, &values);
    for (unsigned i = 0; i < values.list.count && i < d->size->values; i++)
        node_print(d, cell, NODE_VALUE, "%s: %s", compare_who(&sheet->scratch, sheet, &values.list.item[i]),
                   values.list.item[i].text);
    arena_reset(&sheet->scratch);
}

static struct node *begin(struct document *d, const char *heading, const char *what)
{
    struct node *beside = node_beside(d, heading, "beside", what);
    if (document_is_wide(d))
        node_column(d, beside, "values");
    else if (d->size->page)
        document_heads(d, beside->first);
    return beside;
}

static void add_side(struct document *d, enum sheet_section section, const char *group, const char *heading,
                     const char *what)
{
    struct node *list = NULL;
    for_each_item (d->sheet->rows, of) {
        if (!is_in(of, section, group))
            continue;
        list = list ? list : begin(d, heading, what);
        struct node *row = node_beside_row(d, list, of->name);
        if (!d->size->page)
            node_add(d, row, NODE_TEXT, ": ");
        add_values(d, row, of);
    }
}

void document_sides(struct document *d)
{
    if (d->options->chapter)
        return;
    add_side(d, SHEET_RESULTS, "good for", "Good for", "use");
    add_side(d, SHEET_HANDOFF, SHEET_RESETS, "After warm resets", "way, or register that differed");
}
