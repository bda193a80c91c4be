/* A sheet written side by side, as text, Markdown or one HTML page. */
#pragma once

#include "tools/pmucheck/compare/overview.h"
#include "tools/pmucheck/compare/sheet.h"
#include <stdio.h>

struct compare_options {
    const char *chapter; /* only this section, or the tests of this chapter; NULL: all */
    bool all;            /* rows that do not differ too */
    bool colour;         /* for a terminal that has them */
};

/* One value that some columns share. */
struct compare_value {
    const char *text; /* "-": they do not tell */
    unsigned *column, columns;
    bool outlier;
};
struct compare_values {
    LIST(struct compare_value) list; /* the most frequent first */
};

#define COMPARE_WIDE 8 /* with more columns than this, each value is told once, with who has it */

void compare_text(FILE *out, struct sheet *sheet, const struct compare_options *options);
void compare_markdown(FILE *out, struct sheet *sheet, const struct compare_options *options);
void compare_html(FILE *out, struct sheet *sheet, const struct compare_options *options);

/* ---- What they share ---- */

/* Is this row to be shown? */
bool compare_shows(const struct sheet_row *row, const struct compare_options *options);
/* The chapter as the rows know it, "handoff" for "hand-off"; NULL if it is neither a section nor one of the logs'. */
const char *compare_chapter(const struct sheet *sheet, const char *name);
/* "identity, capabilities, ... access, enum": what a chapter may be. */
const char *compare_chapters(struct sheet *sheet);
/* The values of a row; they live in `arena`. */
void compare_collect(struct arena *arena, const struct sheet *sheet, const struct sheet_row *row,
                     struct compare_values *values);
/* "A", "B", ... or the column's name if there are many. */
const char *compare_key(const struct sheet *sheet, unsigned column);
/* "A, C", or "13 machines" if they are many. */
const char *compare_who(struct arena *arena, const struct sheet *sheet, const struct compare_value *value);
/* One line about a machine: its PMU, brand, signature, microcode, verdict. */
const char *compare_about(struct sheet *sheet, unsigned machine);
/* "3 to 5" over all columns, of a measurement's medians. */
const char *compare_span(struct arena *arena, const struct sheet *sheet, const struct sheet_row *row);
/* The columns that differ from their equals: those that fail where they pass first, then by how much; how many. */
unsigned compare_worst(struct sheet *sheet, unsigned **columns);
/* The rows in which a column does: what failed first, then other results, what CPUID and registers tell, noise. */
unsigned compare_outlier_rows(struct sheet *sheet, unsigned column, const struct sheet_row ***rows);
/* How many rows of a section the guest tells differently than its host. */
unsigned compare_guest(const struct sheet *sheet, unsigned guest, enum sheet_section section);
/* Is it a measurement whose distribution a plot shows better than a number? */
bool compare_plots(const struct sheet *sheet, const struct sheet_row *row);
/* The name of a row in full: "pmi.skid cycles [events]". */
const char *compare_row_name(struct arena *arena, const struct sheet_row *row);
