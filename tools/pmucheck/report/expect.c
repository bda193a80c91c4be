/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/report/expect.h"
#include "tools/pmucheck/report/report.h"
#include "tools/span.h"
#include <string.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word of a line, which ends at `end` or at a comment; NULL at the end. */
static const char *take_word(struct arena *arena, const char **at, const char *end)
{
    while (*at < end && is_blank(**at))
        (*at)++;
    const char *start = *at;
    while (*at < end && !is_blank(**at) && **at != '#')
        (*at)++;
    return *at > start ? arena_copy(arena, start, (size_t)(*at - start)) : NULL;
}

/* Reads a line; returns true for an empty one, too. */
static bool read_line(struct expect *expect, const char *at, const char *end, unsigned line)
{
    struct expected row = {.line = line};
    const char **const words[] = {&row.test, &row.label, &row.version};
    for (unsigned i = 0; i < 3; i++)
        *words[i] = take_word(&expect->arena, &at, end);
    while (at < end && is_blank(*at))
        at++;
    if (at < end && *at != '#')
        return false;
    if (row.version)
        *LIST_ADD(&expect->arena, &expect->rows) = row;
    return row.version || !row.test;
}

unsigned expect_read(struct expect *expect, const char *text, size_t size)
{
    unsigned number = 1;
    for (struct span rest = {text, size}, line; span_line(&rest, &line); number++)
        if (memchr(line.text, 0, line.length) || !read_line(expect, line.text, line.text + line.length, number))
            return number;
    return 0;
}

void expect_free(struct expect *expect)
{
    arena_free(&expect->arena);
}

/* ---- Comparing with a log */

static bool is_verdict(const struct log_result *result)
{
    return result->outcome != LOG_SKIP && result->outcome != LOG_ERROR && result->outcome != LOG_LOST;
}

/* A list made from several runs has a row for each of them. */
static bool see(struct expect *expect, const char *test, const char *label)
{
    bool any = false;
    for_each_item (expect->rows, row) {
        bool is_it = strcmp(row->test, test) == 0 && strcmp(row->label, label) == 0;
        row->seen |= is_it;
        any |= is_it;
    }
    return any;
}

static const char *label_of(const struct log_record *r)
{
    return log_is(r, "fail") ? log_value(r, "label") : NULL;
}

/* Are all failures of the test known? False for a test without failures, such as a sum over runs. */
static bool all_known(struct expect *expect, const struct log_file *file, const struct log_boot *boot,
                      const struct log_result *result, FILE *out)
{
    unsigned known = 0, others = 0;
    for_each_record (boot, result, r) {
        const char *label = label_of(r);
        bool expected = label && see(expect, result->id, label);
        known += expected;
        others += label && !expected;
        if (label && !expected && out)
            fprintf(out, "new    %s %s (%s:%u)\n", result->id, label, file->path, r->line);
    }
    return known && !others;
}

static void apply_result(struct expect *expect, const struct log_file *file, const struct log_boot *boot,
                         struct log_result *result, FILE *out)
{
    if (result->parent)
        return;
    for_each_item (expect->rows, row)
        if (is_verdict(result) && strcmp(row->test, result->id) == 0)
            row->tried = true;
    if ((result->outcome == LOG_FAIL || result->outcome == LOG_REVIEW) && all_known(expect, file, boot, result, out)) {
        result->outcome = LOG_KNOWN;
        result->reason = "known difference: all failures are in the list";
    }
}

void expect_apply(struct expect *expect, struct log_file *file, FILE *out)
{
    for_each_item (file->boots, boot)
        for_each_item (boot->runs, run)
            for_each_item (run->results, result)
                apply_result(expect, file, boot, result, out);
}

static enum log_status status_of_runs(const struct log_boot *boot)
{
    enum log_status worst = STATUS_PASS;
    for_each_item (boot->runs, run)
        if (log_run_of_tests(run))
            worst = log_worse(worst, log_status_of_verdict(log_results_verdict(boot, run)));
    return worst;
}

enum log_status expect_status(const struct log_file *file)
{
    enum log_status worst = STATUS_PASS;
    for_each_item (file->boots, boot) {
        enum log_status status = log_boot_status(boot);
        if (status == STATUS_FAIL || status == STATUS_REVIEW)
            status = status_of_runs(boot);
        worst = log_worse(worst, status);
    }
    return worst;
}

unsigned expect_tell_gone(const struct expect *expect, const char *path, FILE *out)
{
    unsigned gone = 0;
    for_each_item (expect->rows, row) {
        if (row->seen || !row->tried)
            continue;
        fprintf(out, "gone   %s %s (%s:%u, seen with %s): remove the line\n", row->test, row->label, path, row->line,
                row->version);
        gone++;
    }
    return gone;
}

/* ---- The report as a list of known differences: the failures in these logs */

static bool failed(const struct log_result *result)
{
    return !result->parent && (result->outcome == LOG_FAIL || result->outcome == LOG_REVIEW);
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
    for_each_item (run->results, result) {
        if (!failed(result))
            continue;
        if (!any)
            fprintf(out, "\n# %s\n", log_run_name(run));
        any = true;
        write_result(out, boot, result);
    }
}

void report_expect(struct report *report, const struct log_file *file)
{
    for_each_item (file->boots, boot)
        for_each_item (boot->runs, run)
            write_run(report->out, boot, run);
}
