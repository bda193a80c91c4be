/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck compare: machines side by side. */
#include "tools/pmucheck/command/command.h"
#include "tools/pmucheck/baseline/baseline.h"
#include "tools/pmucheck/command/form.h"
#include "tools/pmucheck/command/load.h"
#include "tools/pmucheck/compare/compare.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *format, *output, *chapter, *since, *baseline;
static bool all;

static const struct option_row options[] = {
    {'f', "format", "FORM", &format, NULL,
     "text (default) or html. Without it the ending of the output's name says which: .html."},
    {'o', "output", "FILE", &output, NULL, "Writes there instead of to standard output."},
    {0, "chapter", "NAME", &chapter, NULL,
     "Only identity, capabilities, results, errata, bits, handoff or measurements; or one chapter of tests, such as "
     "pmi."},
    {'s', "since", "DATE", &since, NULL,
     "What came out worse in logs from this day on, 2026-11-30, than in earlier ones, by model, firmware and "
     "microcode."},
    {'b', "baseline", "DIRECTORY", &baseline, NULL,
     "What is worse than the results that `pmucheck baseline --accept` has kept there, by model, firmware and "
     "microcode. With --since, in logs from that day on."},
    {'a', "all", NULL, NULL, &all, "Also rows that do not differ. The HTML page always has them."},
    {0},
};

static const struct form {
    const char *name;
    void (*write)(FILE *out, struct sheet *sheet, const struct compare_options *options);
} forms[] = {{"text", compare_text}, {"html", compare_html}, {0}};

static struct sheet sheet;

/* ---- Accepted results */

static struct baseline_files accepted;
static bool bad_baseline;

static void judge(struct sheet *into, const struct facts *facts, struct sheet_machine *machine)
{
    struct arena arena = {0};
    struct baseline_findings found = {0};
    const struct baseline_file *known = baseline_file(&accepted, &command_compare, baseline, facts);
    bad_baseline |= known->bad;
    machine->unaccepted = !known->baseline;
    if (known->baseline)
        baseline_judge(&arena, known->baseline, facts, &found);
    machine->worse = found.count[BASELINE_WORSE];
    for (unsigned i = 0; i < found.list.count && !machine->first_worse; i++)
        if (found.list.item[i].kind == BASELINE_WORSE)
            machine->first_worse =
                arena_print(&into->arena, "%s: %s", found.list.item[i].subject, found.list.item[i].text);
    arena_free(&arena);
}

/* ---- */

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
    for_each_item (sheet.doubts, doubt)
        status = command_refuse(&command_compare, doubt->unusable ? "%s: contains no run of tests: %s" : "%s: %s",
                                doubt->path, doubt->problem);
    return status;
}

static int write_sheet(const struct form *form)
{
    struct compare_options wanted = {.chapter = chapter, .since = since, .judged = baseline, .all = all};
    if (chapter && !(wanted.chapter = compare_chapter(&sheet, chapter)))
        return command_refuse(&command_compare, "--chapter=%s: it must be one of %s", chapter,
                              compare_chapters(&sheet));
    FILE *out = load_output(&command_compare, output);
    if (!out)
        return STATUS_ERROR;
    wanted.colour = isatty(fileno(out)) && !getenv("NO_COLOR");
    form->write(out, &sheet, &wanted);
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
    const struct form *form = form_settle(&command_compare, forms, sizeof(*forms), format, output);
    if (!form)
        return STATUS_ERROR;
    if (argc == 0)
        return command_refuse(&command_compare, "name the logs to compare");
    if (since && !is_date(since))
        return command_refuse(&command_compare, "--since=%s: it must be a day such as 2026-11-30", since);
    if (baseline && access(baseline, R_OK | X_OK) != 0)
        return command_refuse(&command_compare, "--baseline=%s: it must be a directory of `pmucheck baseline`",
                              baseline);
    sheet_begin(&sheet, (unsigned)argc);
    sheet.judge = baseline ? judge : NULL;
    load_each(&command_compare, argc, argv, &visitor);
    sheet_finish(&sheet);
    int status = sheet.columns.count ? write_sheet(form) : STATUS_ERROR;
    if (refuse_doubts() != STATUS_PASS || bad_baseline)
        status = STATUS_ERROR;
    baseline_files_free(&accepted);
    sheet_free(&sheet);
    return status;
}

const struct command command_compare = {
    .name = "compare",
    .summary = "compares machines side by side, and finds those that differ from their equals",
    .arguments = "LOG...",
    .description =
        "Every run of tests in the logs becomes a column: a machine, a guest on it, or a profile of the reference PMU; "
        "a hybrid has a column for each kind of core. The rows are: identity; capabilities, every CPUID leaf field by "
        "field; outcomes and failed checks; the effect of a write on each bit of each register; the state at hand-off; "
        "measurements.\n\n"
        "First come the count of verdicts and the tests that did not pass: severity (critical, high, medium, low), "
        "reason, the manual's section and advice. Then what differs within a model: verdicts by model, firmware and "
        "microcode with the first test that did not pass, those first that came out worse than others of the model, "
        "or, with --since, than before, or, with --baseline, than what was accepted; the published errata that differ "
        "between two steppings or revisions of microcode; settings, outcomes and registers; outliers. Then the models: "
        "their PMUs at a glance, the worst outcome in each chapter, errata side by side with the rate at which they "
        "were seen, or the one that the checks exclude (95 %), uses, warm resets, and an atlas of skid, latencies and "
        "distances of precise records. Differences between models are to be expected, and are grouped by cause. Two "
        "skips for the same want are no difference, whatever value was read, nor is an erratum that two sheets have "
        "under two numbers. With up to eight columns the rows that differ follow; with more columns --all or --chapter "
        "shows them. Logs that are not whole, or that hold nothing to compare, are named.\n\n"
        "Five or more machines of the same CPU, microcode, thread state, image and options are a fleet. A machine is "
        "an outlier of its fleet in a row if less than a tenth of the fleet shares its value, or if its median or 99th "
        "percentile lies eight median absolute deviations away. Machines that were tested longer, shorter or on other "
        "CPUs are named: their measurements are compared among themselves. A guest (pmu=virtual) stands beside the "
        "hardware with the same signature.\n\n"
        "The HTML page is a single file: it filters and sorts, draws each measurement's distribution, and can be "
        "printed.",
    .options = options,
    .statuses = "0 if the comparison was written, whatever its result; 99 if not, or if a log is not whole.",
    .examples = "pmucheck compare old-bios.log new-bios.log --chapter=handoff\n"
                "pmucheck compare --format=html -o fleet.html lab/*.log\n"
                "pmucheck compare --baseline=lab/baseline today/*.log",
    .run = run,
};
