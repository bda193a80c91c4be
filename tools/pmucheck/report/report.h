/*
 * Logs that were read, written in the forms that people and machines want, one after another: a log may be freed as
 * soon as it was added.
 */
#pragma once

#include "tools/pmucheck/log/facts.h"
#include "tools/pmucheck/log/log.h"
#include "tools/pmucheck/report/image.h"
#include <stdio.h>

struct report {
    FILE *out;
    FILE *body;                       /* what stands behind totals, until they are known; NULL without */
    const struct image *image;        /* what each log is held against; NULL: none is known */
    unsigned logs, runs;              /* that were added */
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

/* False if what comes behind totals cannot be kept in a temporary file. */
bool report_begin(const struct report_format *format, struct report *report, FILE *out);
void report_add(const struct report_format *format, struct report *report, const struct log_file *file);
void report_end(const struct report_format *format, struct report *report);

/* The problems of a log alone, one a line. */
void report_problems(FILE *out, const struct log_file *file);

/* ---- The forms: what comes before all logs, of one, and after all. NULL: nothing. ---- */

void report_text(struct report *report, const struct log_file *file);
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

/* ---- What they share ---- */

/* "reference:haswell", or "summary" for a sum over runs. */
const char *report_run_name(const struct log_run *run);
/* What a person reads of a failure: "label=... got=... want=...", the fields without the manual's section. */
void report_fields(FILE *out, const struct log_record *record, const char *but);
/* Behind what was written to `out` already, the body. */
void report_put_body(struct report *report);
