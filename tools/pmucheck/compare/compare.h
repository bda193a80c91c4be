/* SPDX-License-Identifier: BSD-2-Clause */
/* A sheet written side by side, as text or one HTML page. */
#pragma once

#include "tools/pmucheck/compare/overview.h"
#include "tools/pmucheck/compare/sheet.h"
#include <stdio.h>

struct compare_options {
    const char *chapter; /* only this section, or the tests of this chapter; NULL: all */
    const char *since;   /* a date, "2026-11-30": what came out worse in logs from then on; NULL: no date */
    bool judged;         /* the machines were judged by accepted results */
    bool all;            /* also rows that do not differ */
    bool colour;         /* colours, for a terminal that has them */
};

/* One value that some columns share. */
struct compare_value {
    const char *text; /* "-": these columns have no value */
    unsigned *column, columns;
    bool outlier;
};
struct compare_values {
    LIST(struct compare_value) list; /* the most frequent first */
};

#define COMPARE_WIDE 8 /* with more columns than this, each value is written once, with its columns */

void compare_text(FILE *out, struct sheet *sheet, const struct compare_options *options);
void compare_html(FILE *out, struct sheet *sheet, const struct compare_options *options);

/* ---- What they share ---- */

/* Is this row to be shown? */
bool compare_shows(const struct sheet_row *row, const struct compare_options *options);
/* The chapter's name in the rows, "handoff" for "hand-off"; NULL if it is neither a section nor a chapter of the
 * logs. */
const char *compare_chapter(const struct sheet *sheet, const char *name);
/* The allowed chapters: "identity, capabilities, ... access, enum". */
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
/* The range of a measurement's medians over all columns: "3 to 5". */
const char *compare_span(struct arena *arena, const struct sheet *sheet, const struct sheet_row *row);
/* The columns that differ from their equals, worst verdict first, then most differences first. Returns their number. */
unsigned compare_worst(struct sheet *sheet, unsigned **columns);
/* The rows in which a column differs: failures first, then other results, CPUID and registers, noise. */
unsigned compare_outlier_rows(struct sheet *sheet, unsigned column, const struct sheet_row ***rows);
/* The number of a section's rows in which the guest differs from its host. */
unsigned compare_guest(const struct sheet *sheet, unsigned guest, enum sheet_section section);
/* Is it a measurement whose distribution a plot shows better than a number? */
bool compare_plots(const struct sheet *sheet, const struct sheet_row *row);
/* The name of a row in full: "pmi.skid cycles [events]". */
const char *compare_row_name(struct arena *arena, const struct sheet_row *row);
