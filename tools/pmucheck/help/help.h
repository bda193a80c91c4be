/* SPDX-License-Identifier: BSD-2-Clause */
/* The guides that the program has inside it: the project's own pages, as text for a terminal. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#define GUIDE_PIECES 2

struct guide {
    const char *name, *summary;
    unsigned section; /* of man */
    const char *file; /* to which other pages link */
    struct {
        const char *text;  /* Markdown; NULL: there is no such piece */
        const char *begin; /* only the part under this heading; NULL: all */
    } piece[GUIDE_PIECES];
};

/* A row without a name ends them. */
extern const struct guide guides[];
const struct guide *guide_find(const char *name);
/* The guide of this file, from a link such as "lab.md#media"; NULL: none. */
const struct guide *guide_of_link(const char *target);

/* A piece as a text of its own, to be freed; NULL: there is no such piece. */
char *guide_piece(const struct guide *guide, unsigned i);

/* Prints Markdown for a terminal: lines are filled, and a table's row is a paragraph. */
void guide_put(FILE *out, const char *markdown);
void guide_print(FILE *out, const struct guide *guide);

/* ---- markdown.c: the guides' Markdown block by block: headings, paragraphs, code, items, tables. Lines of HTML are
 * left out */

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

/* ---- Text for a terminal */

#define FILL_WIDTH 96

/* Fills paragraphs between the margins; a line that begins with a blank is not filled. */
void fill(FILE *out, const char *text, unsigned margin, unsigned width);

/* ---- man.c: pages for man, in troff's man macros */

/* The head of a page, "pmucheck-log(5)", up to the line of what it is. */
void man_begin(FILE *out, const char *name, unsigned section, const char *summary);
/* Text within a line, without marks; troff's own characters are written so that they mean themselves. */
void man_put(FILE *out, const char *text);
/* Paragraphs, separated by an empty line; lines that begin with blanks are not filled. */
void man_paragraphs(FILE *out, const char *text);
/* Markdown. Headings of the second level become sections; the first heading is left out, as the page has a head. */
void man_markdown(FILE *out, const char *markdown);
