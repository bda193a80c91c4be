/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The text of a comparison as a tree: its parts, their order and words, and where lists are cut off. It is built once
 * from a finished sheet; two writers lay it out: text.c, html.c.
 */
#pragma once

#include "tools/pmucheck/compare/compare.h"

enum node_kind {
    /* Blocks, one below the other. */
    NODE_DOCUMENT,
    NODE_TITLE,
    NODE_HEADING,
    NODE_CAPTION,
    NODE_PARAGRAPH,
    NODE_SECTION, /* with its heading; foldable on the page */
    NODE_LIST,
    NODE_ITEM,
    NODE_LINE, /* below an item's own text */
    NODE_FOLDS,
    NODE_FOLD, /* an item of which the page first shows only the summary */
    NODE_TABLE,
    NODE_HEADS, /* a table's first row */
    NODE_ROW,
    /* Only on the page. */
    NODE_CONTROLS,
    NODE_CARDS,
    NODE_CARD,
    /* Parts of a line. */
    NODE_CELL,
    NODE_HEAD, /* a cell that names its column or row */
    NODE_SUMMARY,
    NODE_TEXT,
    NODE_NAME,
    NODE_LABEL, /* of the text after it */
    NODE_CHIP,  /* an outcome, a verdict, a severity */
    NODE_VALUE, /* one of several */
    NODE_KINDS
};

/* A range with its middle, on a logarithmic axis from `least` to `most`, and how its values are distributed there; the
 * page draws both below a cell's text. */
#define RANGE_BINS 40
struct node_range {
    double low, middle, high, least, most;
    double bin[RANGE_BINS]; /* samples in each equal part of the axis; all 0: no log has told */
};
/* The place of a value on the axis: 0 at its beginning, 1 at its end. */
double range_place(const struct node_range *range, double value);

struct node {
    enum node_kind kind;
    bool differs, open; /* differs: for the filter; open: a fold or section that is open at first */
    unsigned width;     /* the least width of a cell or chip on a terminal */
    unsigned outline;   /* the number of first cells in a row that a terminal writes as headings, because they seldom
                         * change */
    const char *text;   /* before its children; NULL: none */
    const char *class;  /* the style: the name of an outcome, severity or style; NULL */
    const char *id;
    const char *section;         /* for the page's filter; NULL: always shown */
    const char *key;             /* of the column that a cell belongs to */
    const char *gap;             /* between this cell and the next on a terminal; NULL: a blank */
    const struct sheet_row *row; /* whose distributions are plotted */
    const struct node_range *range;
    struct node *first, *last, *next;
};

struct document {
    struct sheet *sheet; /* its arena holds the tree */
    const struct compare_options *options;
    const struct document_size *size;
    struct overview overview;
    struct node *root;
};

/* The most items of each kind before "and 12 more", for readers of each form. */
struct document_size {
    bool page;
    unsigned models, findings, outliers, outlier_rows, cause_rows, values;
    unsigned causes; /* causes that do not matter */
};
extern const struct document_size document_text, document_page;

void document_make(struct document *document, struct sheet *sheet, const struct compare_options *options,
                   const struct document_size *size);

/* ---- For filling the tree: document_node.c ---- */

struct node *node_add(struct document *document, struct node *parent, enum node_kind kind, const char *text);
struct node *node_print(struct document *document, struct node *parent, enum node_kind kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Returns `list`; if it is NULL, begins the heading and the list. */
struct node *node_list(struct document *document, struct node *list, enum node_kind kind, const char *heading);
/*
 * Rows side by side, under a heading: on the page a table, whose first column has this head; for which a terminal is
 * too narrow, so that each row is an item there. And a further column's head, on the page; a row, with its name.
 */
struct node *node_beside(struct document *document, const char *heading, const char *class, const char *corner);
void node_column(struct document *document, struct node *beside, const char *head);
struct node *node_beside_row(struct document *document, struct node *beside, const char *name);
/* What is told of a difference in this section, for the page's filter. */
struct node *node_told(struct document *document, struct node *parent, enum node_kind kind, enum sheet_section section);
/* Adds an item "and 12 more" if there are more than `most`. */
void node_more(struct document *document, struct node *list, unsigned count, unsigned most);
/* Adds a line below an item, unless `text` is empty. */
void node_line(struct document *document, struct node *item, const char *label, const char *text);

/* document_rows.c: a cell for each column, with the column's key; the heads of these cells. */
void document_cells(struct document *document, struct node *row, const struct sheet_row *of);
void document_heads(struct document *document, struct node *heads);

/* document_glance.c: counters, sampling and the like of each model's PMU. */
void document_glance(struct document *document);
/* document_grid.c: verdicts by model, firmware and microcode, if a model has several, or since a date. */
void document_grid(struct document *document);
/* document_atlas.c: what each model can do. */
void document_atlas(struct document *document);
/* document_errata.c: what differs between steppings and microcodes; published errata side by side. */
void document_errata_sentences(struct document *document);
void document_errata(struct document *document);
/* document_sides.c: uses, and warm resets. */
void document_sides(struct document *document);
/* document_rows.c: differences by cause, of one class; and all rows. */
void document_causes(struct document *document, enum overview_class class);
void document_rows(struct document *document);

/* Has the sheet so many columns that each value is written once, with its columns? */
static inline bool document_is_wide(const struct document *document)
{
    return document->sheet->columns.count > COMPARE_WIDE;
}

/* Does it begin a line of its own? */
static inline bool node_is_block(const struct node *node)
{
    return node->kind < NODE_CELL;
}
