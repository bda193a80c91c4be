/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The matrix of a proof: which check label failed under which defect, or how each test came out under each variation;
 * or a table of the defects that errata hide. Filled from the logs of all parts of the proof, written as text.
 * Everything works on memory and streams.
 */
#pragma once

#include "tools/span.h"
#include <stdio.h>

#define GRID_ROWS 2048
#define GRID_COLUMNS 4096
#define GRID_NAME 96
#define GRID_LINES 1024
#define GRID_LINE 600
#define GRID_PARTS 64
#define GRID_UNTOLD "?" /* for a field that a line of the log does not have */

enum grid_kind { GRID_DEFECTS, GRID_VARIATIONS, GRID_HIDDEN };

struct grid_column {
    char name[GRID_NAME];
    unsigned order;         /* its place among all columns, whatever part of the proof it is from */
    char result[GRID_LINE]; /* the proof's own line: "caught by ..." */
    bool bad;
};

struct grid_row {
    char test[GRID_NAME], label[GRID_NAME]; /* label: only in a matrix of defects */
    unsigned unproven;                      /* number of parts in which no defect failed it */
};

/* A defect that a profile's errata explain and that only makes results known: the fields of its line in the log. */
enum grid_field { GRID_DEFECT, GRID_PROFILE, GRID_ERRATA, GRID_TESTS, GRID_REASON, GRID_FIELDS };
struct grid_hidden {
    char field[GRID_FIELDS][GRID_LINE];
};
extern const char *const grid_heads[GRID_FIELDS]; /* their headings in the table */

struct grid {
    enum grid_kind kind;
    unsigned parts; /* logs read so far */
    char pmu[GRID_NAME], version[GRID_LINE];
    struct grid_row row[GRID_ROWS];
    struct grid_column column[GRID_COLUMNS];
    unsigned rows, columns;
    char cell[GRID_ROWS][GRID_COLUMNS]; /* 0: empty; else a letter of grid_letters() */
    char note[GRID_LINES][GRID_LINE];   /* checks that cannot be proven, and failed results without a column */
    unsigned notes;
    struct grid_hidden hidden[GRID_LINES];
    unsigned hiddens;
    bool overflowed;
};

/* A letter and what it stands for. */
struct grid_letter {
    char letter;
    const char *word, *meaning;
};
/* The letters of a kind of matrix, ended by letter 0. */
const struct grid_letter *grid_letters(enum grid_kind kind);
/* Index of a row or column, which is added if it is new; -1 if there is no room. */
int grid_row(struct grid *grid, struct span test, struct span label);
int grid_column(struct grid *grid, struct span name);
/* Sorts rows and hidden defects by name, and columns by their order. */
void grid_sort(struct grid *grid);
/* How many cells of a row or column count: failures of any kind, or results that are not allowed under a variation. */
unsigned grid_row_total(const struct grid *grid, unsigned row);
unsigned grid_column_total(const struct grid *grid, unsigned column);
/* Did no defect fail this row in any part? */
bool grid_unproven(const struct grid *grid, unsigned row);
/* Does the line give no reason why errata may hide it? */
bool grid_groundless(const struct grid_hidden *hidden);
/* One line that names the image, and the PMU if there is only one. */
void grid_origin(const struct grid *grid, char *text, size_t size);
/* One line: how much there is, and how much of it is wrong. */
void grid_summary(const struct grid *grid, char *text, size_t size);

/* grid_read.c: adds one part's log. */
void grid_read(struct grid *grid, const char *text, size_t size);
/* grid_text.c */
void grid_write_text(const struct grid *grid, FILE *file);
