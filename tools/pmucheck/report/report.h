/* A log that was read, written in the forms that people and machines want. */
#pragma once

#include "tools/pmucheck/log/log.h"
#include <stdio.h>

struct report_format {
    const char *name;
    void (*write)(FILE *out, const struct log_file *files, unsigned count);
};
/* The row without a name ends them. */
extern const struct report_format report_formats[];

void report_text(FILE *out, const struct log_file *files, unsigned count);
void report_json(FILE *out, const struct log_file *files, unsigned count);
void report_junit(FILE *out, const struct log_file *files, unsigned count);
void report_ktap(FILE *out, const struct log_file *files, unsigned count);
void report_lava(FILE *out, const struct log_file *files, unsigned count);
/* The problems of the logs alone, one a line. */
void report_problems(FILE *out, const struct log_file *files, unsigned count);

/* ---- What they share ---- */

/* "reference:haswell", or "summary" for a sum over runs. */
const char *report_run_name(const struct log_run *run);
/* What a person reads of a failure: "label=... got=... want=...", the fields without the manual's section. */
void report_fields(FILE *out, const struct log_record *record, const char *but);
