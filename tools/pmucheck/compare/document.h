/*
 * What a comparison tells, as a tree: what is said, in which order, with which words, and where it is cut off. It is
 * built once of a finished sheet; three writers lay it out: text.c, markdown.c, html.c.
 */
#pragma once

#include "tools/pmucheck/compare/compare.h"

enum node_kind {
    /* Blocks, below each other. */
    NODE_DOCUMENT,
    NODE_TITLE,
    NODE_HEADING,
    NODE_CAPTION,
    NODE_PARAGRAPH,
    NODE_SECTION, /* with its heading; the page can fold it */
    NODE_LIST,
    NODE_ITEM,
    NODE_LINE, /* below an item's own words */
    NODE_FOLDS,
    NODE_FOLD, /* an item of which the page shows no more than a summary at first */
    NODE_TABLE,
    NODE_HEADS, /* its first row */
    NODE_ROW,
    /* What the page alone has. */
    NODE_CONTROLS,
    NODE_CARDS,
    NODE_CARD,
    /* What stands in a line. */
    NODE_CELL,
    NODE_HEAD, /* a cell that names its column, or its row */
    NODE_SUMMARY,
    NODE_TEXT,
    NODE_NAME,
    NODE_LABEL, /* of what follows */
    NODE_CHIP,  /* an outcome, a verdict, a severity */
    NODE_VALUE, /* one of several */
    NODE_KINDS
};

struct node {
    enum node_kind kind;
    bool differs, open; /* for the filter; a fold or section that is open at first */
    unsigned width;     /* of a cell or chip on a terminal, at least */
    unsigned outline;   /* so many of a row's first cells, which change seldom, a terminal tells as headings */
    const char *text;   /* before its children; NULL: none */
    const char *class;  /* how it is emphasized: the name of an outcome, severity or style; NULL */
    const char *id;
    const char *section;         /* by which the page filters it; NULL: it stays */
    const char *key;             /* of the column that a cell belongs to */
    const char *gap;             /* between this cell and the next on a terminal; NULL: a blank */
    const struct sheet_row *row; /* whose distributions are plotted */
    struct node *first, *last, *next;
};

struct document {
    struct sheet *sheet; /* in whose arena the tree lives */
    const struct compare_options *options;
    const struct document_size *size;
    struct overview overview;
    struct node *root;
};

/* How much there is of each kind before "and 12 more", by what a reader of the form can take in. */
struct document_size {
    bool page;
    unsigned models, findings, outliers, outlier_rows, cause_rows, values;
    unsigned causes; /* of those that do not matter */
};
extern const struct document_size document_text, document_page;

void document_make(struct document *document, struct sheet *sheet, const struct compare_options *options,
                   const struct document_size *size);

/* ---- For who fills it: document_node.c ---- */

struct node *node_add(struct document *document, struct node *parent, enum node_kind kind, const char *text);
struct node *node_print(struct document *document, struct node *parent, enum node_kind kind, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* The list under this heading; both are begun if there is none yet. */
struct node *node_list(struct document *document, struct node *list, enum node_kind kind, const char *heading);
/* An item "and 12 more" at the end, if there are more than so many. */
void node_more(struct document *document, struct node *list, unsigned count, unsigned most);
/* A line below an item, unless there is nothing to say. */
void node_line(struct document *document, struct node *item, const char *label, const char *text);

/* document_rows.c: differences by cause, and all rows. */
void document_causes(struct document *document);
void document_rows(struct document *document);

/* Does it begin a line of its own? */
static inline bool node_is_block(const struct node *node)
{
    return node->kind < NODE_CELL;
}
