/* SPDX-License-Identifier: BSD-2-Clause */
/* Words that several forms of a report share. */
#include "tools/pmucheck/report/report.h"
#include <string.h>

const char *report_run_name(const struct log_run *run)
{
    return run->pmu ? run->pmu : "summary";
}

void report_fields(FILE *out, const struct log_record *record, const char *but)
{
    for (unsigned i = 0; i < record->fields; i++)
        if (strcmp(record->field[i].key, but) != 0)
            fprintf(out, "%s%s=%s", i > 0 ? " " : "", record->field[i].key, record->field[i].value);
}

void report_put_body(struct report *report)
{
    char room[65536];
    size_t size;
    rewind(report->body);
    while ((size = fread(room, 1, sizeof(room), report->body)) > 0)
        fwrite(room, 1, size, report->out);
}
