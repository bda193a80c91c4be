/*
 * A matrix of a proof: which check label failed under which defect, or how each test came out under each variation; or
 * a table of the defects that errata hide. Filled from the logs of all parts of the proof, written as text and as HTML.
 * All of it works on memory and streams.
 */
#pragma once

#include "tools/span.h"
#include <stdio.h>

#define GRID_ROWS 2048
#define GRID_COLUMNS 2048
#define GRID_NAME 96
#define GRID_LINES 1024
#define GRID_LINE 600
#define GRID_PARTS 64
#define GRID_UNTOLD "?" /* what a line of the log lacks */

enum grid_kind { GRID_DEFECTS, GRID_VARIATIONS, GRID_HIDDEN };

struct grid_column {
    char name[GRID_NAME];
    unsigned order;         /* where it stands, whatever part of the proof it is from */
    char result[GRID_LINE]; /* the proof's own line: "caught by ..." */
    bool bad;
};

struct grid_row {
    char test[GRID_NAME], label[GRID_NAME]; /* label: of a defect's matrix */
    unsigned unproven;                      /* in how many parts no defect failed it */
};

/* A defect that is known on a profile by errata, and noticed there as nothing else: what its line of the log says. */
enum grid_field { GRID_DEFECT, GRID_PROFILE, GRID_ERRATA, GRID_TESTS, GRID_REASON, GRID_FIELDS };
struct grid_hidden {
    char field[GRID_FIELDS][GRID_LINE];
};
extern const char *const grid_heads[GRID_FIELDS]; /* what stands over them */

struct grid {
    enum grid_kind kind;
    unsigned parts; /* logs read so far */
    char pmu[GRID_NAME], version[GRID_LINE];
    struct grid_row row[GRID_ROWS];
    struct grid_column column[GRID_COLUMNS];
    unsigned rows, columns;
    char cell[GRID_ROWS][GRID_COLUMNS]; /* 0: nothing; a letter of grid_letters() */
    char note[GRID_LINES][GRID_LINE];   /* what cannot be proven, and results that are no column's */
    unsigned notes;
    struct grid_hidden hidden[GRID_LINES];
    unsigned hiddens;
    bool overflowed;
};

/* A letter and what it stands for; `word` is also the name of its colour. */
struct grid_letter {
    char letter;
    const char *word, *meaning;
};
/* Those of a kind of matrix; the one with letter 0 ends them. */
const struct grid_letter *grid_letters(enum grid_kind kind);
/* Position of a row or column, new if need be; -1 if there is no room. */
int grid_row(struct grid *grid, struct span test, struct span label);
int grid_column(struct grid *grid, struct span name);
/* Sorts rows and what is hidden by name and columns by their order. */
void grid_sort(struct grid *grid);
/* How many cells of a row or column count: failures of any kind, or results that must not be under a variation. */
unsigned grid_row_total(const struct grid *grid, unsigned row);
unsigned grid_column_total(const struct grid *grid, unsigned column);
/* A row that no defect failed in any part. */
bool grid_unproven(const struct grid *grid, unsigned row);
/* The line names no reason why errata may hide it. */
bool grid_groundless(const struct grid_hidden *hidden);
/* One line with whose proof it is: the image, and the PMU, if there is one alone. */
void grid_origin(const struct grid *grid, char *text, size_t size);
/* One line with what there is and how much of it is not as it should be. */
void grid_summary(const struct grid *grid, char *text, size_t size);

/* grid_read.c: adds one part's log. */
void grid_read(struct grid *grid, const char *text, size_t size);
/* grid_text.c, grid_html.c */
void grid_write_text(const struct grid *grid, FILE *file);
void grid_write_html(const struct grid *grid, FILE *file);
