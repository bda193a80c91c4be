/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/report/report.h"
#include <string.h>

const struct report_format report_formats[] = {
    {"text", NULL, report_text, NULL, NULL},
    {"short", NULL, report_short, NULL, NULL},
    {"json", "{\n\t\"schema\": \"pmucheck-report-1\",\n\t\"boots\": [", report_json, NULL, "\n]}\n"},
    {"junit", NULL, report_junit, report_junit_head, "</testsuites>\n"},
    {"ktap", NULL, report_ktap, report_ktap_head, NULL},
    {"lava", NULL, report_lava, NULL, NULL},
    {"expect",
     "# Known differences, one on each line: TEST LABEL VERSION. For pmucheck report --expect=THIS-FILE.\n"
     "# Examine each one before you keep it.\n",
     report_expect, NULL, NULL},
    {0},
};

bool report_begin(const struct report_format *format, struct report *report, FILE *out)
{
    *report = (struct report){.out = out, .body = format->head ? tmpfile() : NULL};
    if (format->before)
        fputs(format->before, out);
    return report->body || !format->head;
}

void report_add(const struct report_format *format, struct report *report, const struct log_file *file)
{
    format->add(report, file);
    report->logs++;
}

static void put_body(struct report *report)
{
    char room[65536];
    size_t size;
    rewind(report->body);
    while ((size = fread(room, 1, sizeof(room), report->body)) > 0)
        fwrite(room, 1, size, report->out);
    fclose(report->body);
}

void report_end(const struct report_format *format, struct report *report)
{
    if (format->head) {
        format->head(report);
        put_body(report);
    }
    if (format->after)
        fputs(format->after, report->out);
}

void report_problems(FILE *out, const struct log_file *file)
{
    for_each_item (file->boots, boot)
        for_each_item (boot->problems, problem)
            fprintf(out, "%s:%u: %s\n", file->path, problem->line, problem->text);
}
