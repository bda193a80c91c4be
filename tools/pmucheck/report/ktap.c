/* SPDX-License-Identifier: BSD-2-Clause */
/* The report as KTAP, with lost results filled in, and as signals that LAVA collects as test cases. */
#include "tools/pmucheck/log/line.h"
#include "tools/pmucheck/report/report.h"
#include <string.h>

/* ---- KTAP */

static void write_ktap_result(FILE *out, const struct log_boot *boot, const struct log_result *result, int indent,
                              unsigned number)
{
    const struct line_form *form = &line_form[result->outcome];
    const char *lost = result->outcome == LOG_LOST ? "lost: the log has no result" : "";
    for_each_record (boot, result, r)
        fprintf(out, "%*s# %s\n", indent, "", r->text);
    fprintf(out, "%*s%sok %u %s%s%s%s%s%s\n", indent, "", form->ok ? "" : "not ", number,
            result->id[0] ? result->id : "unknown", form->directive, form->directive[0] ? " " : "", lost,
            lost[0] && result->reason[0] ? ", " : "", result->reason);
}

static bool run_is_ok(const struct log_run *run)
{
    for_each_item (run->results, result)
        if (!line_form[result->outcome].ok)
            return false;
    return true;
}

static void write_ktap_run(FILE *out, const struct log_boot *boot, const struct log_run *run, unsigned number)
{
    fprintf(out, "  KTAP version 1\n  # Subtest: %s\n", log_run_name(run));
    for_each_record (boot, run, r)
        fprintf(out, "  # %s\n", r->text);
    fprintf(out, "  1..%u\n", run->results.count);
    for (unsigned i = 0; i < run->results.count; i++)
        write_ktap_result(out, boot, &run->results.item[i], 2, i + 1);
    fprintf(out, "%sok %u %s\n", run_is_ok(run) ? "" : "not ", number, log_run_name(run));
}

static unsigned write_ktap_boot(FILE *out, const struct log_file *file, const struct log_boot *boot, unsigned number)
{
    for_each_item (boot->problems, problem)
        fprintf(out, "# problem file=\"%s\" line=%u text=\"%s\"\n", file->path, problem->line, problem->text);
    for_each_item (boot->runs, run)
        write_ktap_run(out, boot, run, number++);
    return number;
}

void report_ktap(struct report *report, const struct log_file *file)
{
    for_each_item (file->boots, boot)
        report->runs = write_ktap_boot(report->body, file, boot, report->runs + 1) - 1;
}

void report_ktap_head(struct report *report)
{
    fprintf(report->out, "KTAP version 1\n1..%u\n", report->runs);
}

/* ---- LAVA */

static void write_lava_result(FILE *out, const struct log_boot *boot, const struct log_result *result)
{
    static const char *const word[LOG_OUTCOMES + 1] = {"pass", "fail", "pass", "unknown", "skip", "fail", "unknown"};
    if (result->id[0])
        fprintf(out, "<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=%s RESULT=%s>\n", result->id, word[result->outcome]);
    for_each_record (boot, result, r) {
        const char *name = log_value(r, "name"), *median = log_value(r, "median"), *unit = log_value(r, "unit");
        if (log_is(r, "measure") && name && median && unit)
            fprintf(out, "<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=%s.%s RESULT=pass UNITS=%s MEASUREMENT=%s>\n", result->id,
                    name, unit, median);
    }
}

static void write_lava_run(FILE *out, const struct log_boot *boot, const struct log_run *run)
{
    fprintf(out, "<LAVA_SIGNAL_TESTSET START %s>\n", log_run_name(run));
    for_each_item (run->results, result)
        write_lava_result(out, boot, result);
    fprintf(out, "<LAVA_SIGNAL_TESTSET STOP>\n");
}

void report_lava(struct report *report, const struct log_file *file)
{
    for_each_item (file->boots, boot) {
        for_each_item (boot->runs, run)
            write_lava_run(report->out, boot, run);
        fprintf(report->out, "<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=log-complete RESULT=%s>\n",
                boot->problems.count ? "fail" : "pass");
    }
}
