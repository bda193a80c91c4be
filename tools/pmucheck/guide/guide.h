/* SPDX-License-Identifier: BSD-2-Clause */
/* The guides that the program has inside it: the project's own pages, as text for a terminal. */
#pragma once

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
