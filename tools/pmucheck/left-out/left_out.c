/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Stand-ins for the parts that the static binary lacks: JSON, XML, databases and pictures need libraries that Debian
 * has not, or not suitably, for static linking. Each prints a message about that. Linked only by `make static`.
 */
#include "tools/pmucheck/command.h"
#include "tools/pmucheck/compare/compare.h"
#include "tools/pmucheck/judge/rejudge.h"
#include "tools/pmucheck/report/report.h"
#include "tools/pmucheck/scan/scan.h"
#include <stdlib.h>

#define WITHOUT "this static binary lacks "
#define INSTEAD ": use the package, or build the sources"

/* ---- Commands */

static const struct option_row no_options[] = {{0}};

#define COMMAND(called)                                                           \
    static int run_##called(int argc, char **argv)                                \
    {                                                                             \
        (void)argc, (void)argv;                                                   \
        return command_refuse(&command_##called, WITHOUT "this command" INSTEAD); \
    }                                                                             \
    const struct command command_##called = {                                     \
        .name = #called,                                                          \
        .summary = "left out of the binary without libraries",                    \
        .arguments = "",                                                          \
        .description = "This static binary lacks this command" INSTEAD ".",       \
        .options = no_options,                                                    \
        .statuses = "99.",                                                        \
        .examples = "",                                                           \
        .run = run_##called,                                                      \
    };

COMMAND(adopt)
COMMAND(baseline)
COMMAND(export)
COMMAND(judge)

/* Only adopt calls this. */
bool rejudge_label_known(const char *test, const char *label)
{
    (void)test, (void)label;
    return false;
}

/* ---- Forms of output, and of input */

static _Noreturn void refuse(const struct command *command, const char *what)
{
    exit(command_refuse(command, WITHOUT "%s" INSTEAD, what));
}

void report_json_begin(struct report *report)
{
    (void)report;
    refuse(&command_report, "JSON");
}

void report_json(struct report *report, const struct log_file *file)
{
    (void)file;
    report_json_begin(report);
}

void report_json_end(struct report *report)
{
    report_json_begin(report);
}

void report_junit(struct report *report, const struct log_file *file)
{
    (void)report, (void)file;
    refuse(&command_report, "JUnit XML");
}

void report_junit_end(struct report *report)
{
    report_junit(report, NULL);
}

void compare_html(FILE *out, struct sheet *sheet, const struct compare_options *options)
{
    (void)out, (void)sheet, (void)options;
    refuse(&command_compare, "HTML");
}

int scan_file(struct scan *scan, const char *path, const char **error)
{
    (void)scan, (void)path;
    *error = WITHOUT "reading pictures" INSTEAD;
    return -1;
}
