/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes logs in forms for people and machines, one after another: a log may be freed as soon as it was added.
 */
#pragma once

#include "tools/pmucheck/log/facts.h"
#include "tools/pmucheck/log/log.h"
#include "tools/pmucheck/report/image.h"
#include <stdio.h>

struct report {
    FILE *out;
    FILE *body;                       /* the text after the totals, kept until they are known; may be NULL */
    const struct image *image;        /* the image to compare each log with; NULL: unknown */
    unsigned logs, runs;              /* logs added */
    unsigned total[LOG_OUTCOMES + 1]; /* results in them */
};

struct report_format {
    const char *name;
    void (*begin)(struct report *report);
    void (*add)(struct report *report, const struct log_file *file);
    void (*end)(struct report *report);
};
/* The row without a name ends them. */
extern const struct report_format report_formats[];

/* Returns false if no temporary file can be made for the text after the totals. */
bool report_begin(const struct report_format *format, struct report *report, FILE *out);
void report_add(const struct report_format *format, struct report *report, const struct log_file *file);
void report_end(const struct report_format *format, struct report *report);

/* Writes only the problems of a log, one on each line. */
void report_problems(FILE *out, const struct log_file *file);

/* ---- The forms: functions for the text before all logs, for each log, and after all. NULL: no text. ---- */

void report_text(struct report *report, const struct log_file *file);
void report_short(struct report *report, const struct log_file *file);
void report_json_begin(struct report *report);
void report_json(struct report *report, const struct log_file *file);
void report_json_end(struct report *report);
void report_junit(struct report *report, const struct log_file *file);
void report_junit_end(struct report *report);
void report_ktap(struct report *report, const struct log_file *file);
void report_ktap_end(struct report *report);
void report_lava(struct report *report, const struct log_file *file);
void report_expect_begin(struct report *report);
void report_expect(struct report *report, const struct log_file *file);

/* ---- Shared by the forms ---- */

/* "reference:haswell", or "summary" for a sum over runs. */
const char *report_run_name(const struct log_run *run);
/* A failure for people: "label=... got=... want=...", the fields without the manual's section. */
void report_fields(FILE *out, const struct log_record *record, const char *but);
/* Appends the body to `out`. */
void report_put_body(struct report *report);
