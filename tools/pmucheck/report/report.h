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
    const char *before; /* all logs; NULL: no text */
    void (*add)(struct report *report, const struct log_file *file);
    void (*head)(struct report *report); /* the text with the totals, before the logs; NULL: none */
    const char *after;                   /* all logs; NULL: no text */
};
/* The row without a name ends them. */
extern const struct report_format report_formats[];

/* Returns false if no temporary file can be made for the text after the totals. */
bool report_begin(const struct report_format *format, struct report *report, FILE *out);
void report_add(const struct report_format *format, struct report *report, const struct log_file *file);
void report_end(const struct report_format *format, struct report *report);

/* Writes only the problems of a log, one on each line. */
void report_problems(FILE *out, const struct log_file *file);

/* ---- The forms ---- */

void report_text(struct report *report, const struct log_file *file);
void report_short(struct report *report, const struct log_file *file);
void report_json(struct report *report, const struct log_file *file);
void report_junit(struct report *report, const struct log_file *file);
void report_junit_head(struct report *report);
void report_ktap(struct report *report, const struct log_file *file);
void report_ktap_head(struct report *report);
void report_lava(struct report *report, const struct log_file *file);
void report_expect(struct report *report, const struct log_file *file);
