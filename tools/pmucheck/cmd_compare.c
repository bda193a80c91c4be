/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck compare: machines side by side. */
#include "tools/pmucheck/command.h"
#include "tools/pmucheck/compare/compare.h"
#include "tools/pmucheck/form.h"
#include "tools/pmucheck/load.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *format, *output, *chapter, *since;
static bool all;

static const struct option_row options[] = {
    {'f', "format", "FORM",
     "text (default), markdown or html. Without it the ending of the output's name says which: .md, .html.", &format,
     NULL},
    {'o', "output", "FILE", "Writes there instead of to standard output.", &output, NULL},
    {0, "chapter", "NAME",
     "Only identity, capabilities, results, errata, bits, handoff or measurements; or one chapter of tests, such as "
     "pmi.",
     &chapter, NULL},
    {'s', "since", "DATE",
     "What came out worse in logs from this day on, 2026-11-30, than in earlier ones, by model, firmware and "
     "microcode.",
     &since, NULL},
    {'a', "all", NULL, "Also rows that do not differ. The HTML page always has them.", NULL, &all},
    {0},
};

static const struct {
    const char *name;
    void (*write)(FILE *out, struct sheet *sheet, const struct compare_options *options);
} formats[] = {{"text", compare_text}, {"markdown", compare_markdown}, {"html", compare_html}};

static struct sheet sheet;

static void add(void *context, const struct log_file *file)
{
    (void)context;
    sheet_add(&sheet, file);
}

static void missing(void *context, const char *path, const char *problem)
{
    (void)context;
    sheet_unusable(&sheet, path, problem);
}

/* The comparison is written nevertheless; the status says that part of a log is missing. */
static int refuse_doubts(void)
{
    int status = STATUS_PASS;
    for (unsigned i = 0; i < sheet.doubts.count; i++) {
        const struct sheet_doubt *doubt = &sheet.doubts.item[i];
        status = command_refuse(&command_compare, doubt->unusable ? "%s: contains no run of tests: %s" : "%s: %s",
                                doubt->path, doubt->problem);
    }
    return status;
}

static int write_sheet(size_t form)
{
    struct compare_options wanted = {.chapter = chapter, .since = since, .all = all};
    if (chapter && !(wanted.chapter = compare_chapter(&sheet, chapter)))
        return command_refuse(&command_compare, "--chapter=%s: it must be one of %s", chapter,
                              compare_chapters(&sheet));
    FILE *out = load_output(&command_compare, output);
    if (!out)
        return STATUS_ERROR;
    wanted.colour = isatty(fileno(out)) && !getenv("NO_COLOR");
    formats[form].write(out, &sheet, &wanted);
    return load_close(&command_compare, output, out) ? STATUS_PASS : STATUS_ERROR;
}

/* "2026-11-30", and perhaps a time: the beginning of what logs have. */
static bool is_date(const char *text)
{
    static const char form[] = "0000-00-00";
    for (size_t i = 0; form[i]; i++)
        if (form[i] == '0' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
            return false;
    return !text[strlen(form)] || text[strlen(form)] == 'T';
}

static int run(int argc, char **argv)
{
    static const struct load_visitor visitor = {.visit = add, .missing = missing, .any = true};
    static const char *const forms[] = {"text", "markdown", "html", NULL};
    size_t form = 0;
    if (!form_settle(&command_compare, forms, output, &format))
        return STATUS_ERROR;
    while (strcmp(formats[form].name, format) != 0)
        form++;
    if (argc == 0)
        return command_refuse(&command_compare, "name the logs to compare");
    if (since && !is_date(since))
        return command_refuse(&command_compare, "--since=%s: it must be a day such as 2026-11-30", since);
    sheet_begin(&sheet, (unsigned)argc);
    load_each(&command_compare, argc, argv, &visitor);
    sheet_finish(&sheet);
    int status = sheet.columns.count ? write_sheet(form) : STATUS_ERROR;
    if (refuse_doubts() != STATUS_PASS)
        status = STATUS_ERROR;
    sheet_free(&sheet);
    return status;
}

const struct command command_compare = {
    .name = "compare",
    .summary = "compares machines side by side, and finds those that differ from their equals",
    .arguments = "LOG...",
    .description =
        "Every run of tests in the logs becomes a column: a machine, a guest on it, or a profile of the reference "
        "PMU; a hybrid has a column for each kind of core. The rows are: identity; capabilities, every CPUID leaf "
        "field by field; outcomes and failed checks; the effect of a write on each bit of each register; the state at "
        "hand-off; measurements.\n\n"
        "First come the count of verdicts and the tests that did not pass: severity (critical, high, medium, low), "
        "reason, the manual's section and advice. Then what differs within a model: verdicts by model, firmware and "
        "microcode with the first test that did not pass, those first that came out worse than others of the model, "
        "or, with --since, than before; the published errata that differ between two steppings or revisions of "
        "microcode; settings, outcomes and registers; outliers. Then the models: their PMUs at a glance, the worst "
        "outcome in each chapter, errata side by side with the rate at which they were seen, or the one that the "
        "checks exclude (95 %), uses, warm resets, and an atlas of skid, latencies and distances of precise records. "
        "Differences between models are to be expected, and are grouped by cause. Two skips for the same want are no "
        "difference, whatever value was read, nor is an erratum that two sheets have under two numbers. With up to "
        "eight columns the rows that differ follow; with more columns --all or --chapter shows them. Logs that are "
        "not whole, or that hold nothing to compare, are named.\n\n"
        "Five or more machines of the same CPU, microcode, thread state, image and options are a fleet. A machine is "
        "an outlier of its fleet in a row if less than a tenth of the fleet shares its value, or if its median or "
        "99th percentile lies eight median absolute deviations away. Machines that were tested longer, shorter or on "
        "other CPUs are named: their measurements are compared among themselves. A guest (pmu=virtual) stands beside "
        "the hardware with the same signature.\n\n"
        "The HTML page is a single file: it filters and sorts, draws each measurement's distribution, and can be "
        "printed.",
    .options = options,
    .statuses = "0 if the comparison was written, whatever its result; 99 if not, or if a log is not whole.",
    .examples = "pmucheck compare old-bios.log new-bios.log --chapter=handoff\n"
                "pmucheck compare --format=html -o fleet.html lab/*.log",
    .run = run,
};
