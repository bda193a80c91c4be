/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck export: logs as tables. */
#include "tools/pmucheck/command/command.h"
#include "tools/pmucheck/command/form.h"
#include "tools/pmucheck/command/load.h"
#include "tools/pmucheck/export/export.h"
#include <string.h>

static const char *format, *output, *origin = "pmucheck";
static bool schema;

static const struct option_row options[] = {
    {'f', "format", "FORM", &format, NULL,
     "sqlite (default), csv, ndjson or kcidb. Without it the ending of the output's name says which."},
    {'o', "output", "PATH", &output, NULL,
     "The database; for csv a directory; for ndjson and kcidb a file (standard output). Required for the first two."},
    {0, "origin", "NAME", &origin, NULL, "The submitter for kcidb: small letters, digits and _ (pmucheck)."},
    {0, "schema", NULL, NULL, &schema, "Only prints the description of the tables, as Markdown."},
    {0},
};

static struct exporter exporter = {.command = &command_export};
static bool all_good = true;

static void add(void *context, const struct log_file *file)
{
    (void)context;
    export_log(&exporter, file);
}

static int write_all(int argc, char **argv, const char *path)
{
    static const struct load_visitor visitor = {.visit = add, .identify = true};
    if (strcmp(path, "-") != 0 && !load_spare(&command_export, path))
        return STATUS_ERROR;
    bool opened = exporter.form->open(&exporter, path);
    if (opened)
        all_good &= load_each(&command_export, argc, argv, &visitor);
    bool closed = exporter.form->close(&exporter);
    if (exporter.problem[0])
        command_refuse(&command_export, "%s: %s", path, exporter.problem);
    if (!opened || !closed)
        return STATUS_ERROR;
    fprintf(stderr, "pmucheck export: %u logs written, %u were there\n", exporter.logs, exporter.again);
    return all_good ? STATUS_PASS : STATUS_ERROR;
}

static int run(int argc, char **argv)
{
    if (schema) {
        export_schema(stdout);
        return STATUS_PASS;
    }
    exporter.form = form_settle(&command_export, export_forms, sizeof(*export_forms), format, output);
    if (!exporter.form)
        return STATUS_ERROR;
    bool needs_path = exporter.form == &export_forms[0] || exporter.form == &export_forms[1];
    if (needs_path && !output)
        return command_refuse(&command_export, "--format=%s needs --output=PATH", exporter.form->name);
    if (!origin[0] || strspn(origin, "abcdefghijklmnopqrstuvwxyz0123456789_") != strlen(origin))
        return command_refuse(&command_export, "--origin=%s: it must be of small letters, digits and _", origin);
    if (argc == 0)
        return command_refuse(&command_export, "name the logs to export");
    exporter.origin = origin;
    return write_all(argc, argv, output ? output : "-");
}

const struct command command_export = {
    .name = "export",
    .summary = "puts logs into tables: SQLite, CSV, JSON lines, or a submission to KernelCI's database",
    .arguments = "LOG...",
    .description =
        "Writes each log once into flat tables of logs, machines, runs, cpus, results, checks, measures and registers; "
        "docs/export.md describes the columns and has queries. A log is recognised by its bytes: if it was exported "
        "before, under any name, it is skipped, so that all logs of a lab can be named each time. Each run has the "
        "signature, microcode, kinds of core and thread state of its own CPUs.\n\n"
        "An existing database is extended; the other outputs are written anew each time. ndjson has one object a line "
        "with its table's name. kcidb is one JSON object of KCIDB's schema 4.2: review becomes DONE, a known erratum a "
        "waived FAIL, a lost result MISS.",
    .options = options,
    .statuses = "0 if everything was written, 99 if not, or if a log cannot be read.",
    .examples = "pmucheck export -o lab.sqlite lab/*.log\n"
                "pmucheck export --format=kcidb --origin=mylab lab/*.log | kcidb-submit",
    .run = run,
};
