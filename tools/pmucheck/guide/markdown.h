/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads the Markdown of the project's guides block by block, for a terminal and for man: headings, paragraphs, code,
 * items, tables. Lines of HTML are left out.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#define MARKDOWN_CELLS 8

enum markdown_kind {
    MARKDOWN_HEADING,   /* text, level */
    MARKDOWN_PARAGRAPH, /* text on one line */
    MARKDOWN_CODE,      /* text with its lines */
    MARKDOWN_ITEM,      /* mark, text on one line */
    MARKDOWN_COLUMNS,   /* cell: the names of a table's columns */
    MARKDOWN_ROW,       /* cell; `columns` has their names */
};

struct markdown_block {
    enum markdown_kind kind;
    unsigned level;
    char mark[4]; /* "-" or "12." */
    char *text;
    char *cell[MARKDOWN_CELLS], *columns[MARKDOWN_CELLS];
    unsigned cells;
};

/* `next` is the text; all else is 0 at first. */
struct markdown {
    const char *next;
    struct markdown_block block;
};

/* The next block, valid until the next call; NULL at the end, when nothing is left to be freed. */
const struct markdown_block *markdown_next(struct markdown *m);

/* What stands for a text's marks, and how a character is written. */
struct markdown_style {
    const char *code[2], *strong[2], *emphasis[2]; /* before and after */
    void (*put)(FILE *out, char c);
    void (*link)(FILE *out, const char *target); /* after a link's words; may be NULL */
};

void markdown_put(FILE *out, const char *text, const struct markdown_style *style);
