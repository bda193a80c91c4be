/* SPDX-License-Identifier: BSD-2-Clause */
/* The report as a list of known differences (expect.h): the failures in these logs. */
#include "tools/pmucheck/report/report.h"
#include <string.h>

void report_expect_begin(struct report *report)
{
    fputs("# Known differences, one on each line: TEST LABEL VERSION. For pmucheck report --expect=THIS-FILE.\n"
          "# Examine each one before you keep it.\n",
          report->out);
}

static bool failed(const struct log_result *result)
{
    return !result->parent && (result->outcome == LOG_FAIL || result->outcome == LOG_REVIEW);
}

static const char *label_of(const struct log_record *r)
{
    return strcmp(r->kind, "fail") == 0 ? log_value(r, "label") : NULL;
}

/* Did an earlier failure of this test have the label? */
static bool was_told(const struct log_boot *boot, const struct log_result *result, const struct log_record *until)
{
    for_each_record (boot, result, r) {
        const char *label = r < until ? label_of(r) : NULL;
        if (label && strcmp(label, log_value(until, "label")) == 0)
            return true;
    }
    return false;
}

static void write_result(FILE *out, const struct log_boot *boot, const struct log_result *result)
{
    for_each_record (boot, result, r)
        if (label_of(r) && !was_told(boot, result, r))
            fprintf(out, "%s %s %s\n", result->id, label_of(r), boot->version[0] ? boot->version : "unknown");
}

static void write_run(FILE *out, const struct log_boot *boot, const struct log_run *run)
{
    bool any = false;
    for (unsigned i = 0; i < run->results.count; i++) {
        if (!failed(&run->results.item[i]))
            continue;
        if (!any)
            fprintf(out, "\n# %s\n", report_run_name(run));
        any = true;
        write_result(out, boot, &run->results.item[i]);
    }
}

void report_expect(struct report *report, const struct log_file *file)
{
    for (unsigned b = 0; b < file->boots.count; b++)
        for (unsigned r = 0; r < file->boots.item[b].runs.count; r++)
            write_run(report->out, &file->boots.item[b], &file->boots.item[b].runs.item[r]);
}
