/* pmucheck compare: machines side by side. */
#include "tools/pmucheck/command.h"
#include "tools/pmucheck/compare/compare.h"
#include "tools/pmucheck/load.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *format = "text", *output, *chapter;
static bool all;

static const struct option_row options[] = {
    {'f', "format", "FORM", "text (default), markdown or html.", &format, NULL},
    {'o', "output", "FILE", "Writes there instead of to standard output.", &output, NULL},
    {0, "chapter", "NAME",
     "Only identity, capabilities, results, errata, bits, handoff or measurements; or the tests of one chapter, as "
     "pmi.",
     &chapter, NULL},
    {'a', "all", NULL, "Rows that do not differ too. The HTML page has them always.", NULL, &all},
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

/* The comparison is written all the same; who only looks at the status learns that of a log something is missing. */
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
    struct compare_options wanted = {.chapter = chapter, .all = all};
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

static int run(int argc, char **argv)
{
    static const struct load_visitor visitor = {.visit = add, .missing = missing, .any = true};
    size_t form = 0;
    while (form < 3 && strcmp(formats[form].name, format) != 0)
        form++;
    if (form == 3)
        return command_refuse(&command_compare, "--format=%s: it must be text, markdown or html", format);
    if (argc == 0)
        return command_refuse(&command_compare, "name the logs that are to be compared");
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
    .summary = "puts machines side by side and tells what differs, and who differs from its equals",
    .arguments = "LOG...",
    .description =
        "Every run of tests in the logs becomes a column, a hybrid's one for each kind of core: a machine, a guest "
        "of it, a profile of the reference PMU. What they tell becomes rows: identity; capabilities, every CPUID "
        "leaf field by field; outcomes and failed checks; what each bit of each register does with a write; what was "
        "found at hand-off; measurements.\n\n"
        "First come the verdicts, counted, and what did not pass: how much it matters (critical, high, medium, low), "
        "why, the manual's section and what to do; then the models and chapters. Differences are told by cause: "
        "those that matter, as they are within one model; those between models that are to be expected; noise. With "
        "up to eight columns the rows that differ follow one by one; of more, with --all or --chapter. Logs that are "
        "not whole, or of which nothing can be compared, are named.\n\n"
        "Five or more machines of the same CPU, microcode, thread state, image and options are a fleet. In it a "
        "machine is an outlier in a row whose value less than a tenth share, or whose median or 99th percentile lies "
        "eight median absolute deviations away. Machines that were tested longer, shorter or on other CPUs are named: "
        "their measurements are compared among themselves. A guest (pmu=virtual) is set beside the hardware with its "
        "signature.\n\n"
        "The HTML page needs nothing else: it filters and sorts, draws each measurement's distribution, and can be "
        "printed.",
    .options = options,
    .statuses = "0 if the comparison was written, whatever it says; 99 if not, or if a log is not whole.",
    .examples = "pmucheck compare old-bios.log new-bios.log --chapter=handoff\n"
                "pmucheck compare --format=html -o fleet.html lab/*.log",
    .run = run,
};
