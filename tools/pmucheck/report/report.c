/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/report/report.h"
#include <string.h>

const struct report_format report_formats[] = {
    {"text", NULL, report_text, NULL},
    {"short", NULL, report_short, NULL},
    {"json", report_json_begin, report_json, report_json_end},
    {"junit", NULL, report_junit, report_junit_end},
    {"ktap", NULL, report_ktap, report_ktap_end},
    {"lava", NULL, report_lava, NULL},
    {"expect", report_expect_begin, report_expect, NULL},
    {0},
};

bool report_begin(const struct report_format *format, struct report *report, FILE *out)
{
    bool totals_first = format->end && !format->begin;
    *report = (struct report){.out = out, .body = totals_first ? tmpfile() : NULL};
    if (totals_first && !report->body)
        return false;
    if (format->begin)
        format->begin(report);
    return true;
}

void report_add(const struct report_format *format, struct report *report, const struct log_file *file)
{
    format->add(report, file);
    report->logs++;
}

void report_end(const struct report_format *format, struct report *report)
{
    if (format->end)
        format->end(report);
    if (report->body)
        fclose(report->body);
}

void report_problems(FILE *out, const struct log_file *file)
{
    for_each_item (file->boots, boot)
        for_each_item (boot->problems, problem)
            fprintf(out, "%s:%u: %s\n", file->path, problem->line, problem->text);
}
