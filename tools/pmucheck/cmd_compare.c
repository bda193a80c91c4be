/* pmucheck compare: machines side by side. */
#include "tools/pmucheck/command.h"
#include "tools/pmucheck/compare/compare.h"
#include "tools/pmucheck/load.h"
#include <string.h>

static const char *format = "text", *output, *chapter;
static bool all;

static const struct option_row options[] = {
    {'f', "format", "FORM", "text (default), markdown or html.", &format, NULL},
    {'o', "output", "FILE", "Writes there instead of to standard output.", &output, NULL},
    {0, "chapter", "NAME",
     "Only identity, capabilities, results, bits, handoff or measurements; or the tests of one chapter, as pmi.",
     &chapter, NULL},
    {'a', "all", NULL, "Rows that do not differ too. The HTML page has them always.", NULL, &all},
    {0},
};

static const struct {
    const char *name;
    void (*write)(FILE *out, struct sheet *sheet, const struct compare_options *options);
} formats[] = {{"text", compare_text}, {"markdown", compare_markdown}, {"html", compare_html}};

static int compare(const struct log_file *files, unsigned count, size_t form)
{
    static struct sheet sheet;
    const struct compare_options wanted = {.chapter = chapter, .all = all};
    int status = STATUS_ERROR;
    sheet_fill(&sheet, files, count);
    if (sheet.columns.count == 0) {
        command_refuse(&command_compare, "%s: contains no run of tests; see pmucheck report", files[0].path);
    } else {
        FILE *out = load_output(&command_compare, output);
        if (out)
            formats[form].write(out, &sheet, &wanted);
        if (out && load_close(&command_compare, output, out))
            status = STATUS_PASS;
    }
    sheet_free(&sheet);
    return status;
}

static int run(int argc, char **argv)
{
    size_t form = 0;
    while (form < 3 && strcmp(formats[form].name, format) != 0)
        form++;
    if (form == 3)
        return command_refuse(&command_compare, "--format=%s: it must be text, markdown or html", format);
    if (argc == 0)
        return command_refuse(&command_compare, "name the logs that are to be compared");
    struct log_file *files = load_logs(&command_compare, argc, argv);
    if (!files)
        return STATUS_ERROR;
    int status = compare(files, (unsigned)argc, form);
    load_free(files, (unsigned)argc);
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
        "found at hand-off; measurements. Rows that differ are shown. Of a measurement that is one whose median lies "
        "outside of what another machine measured at all.\n\n"
        "Five or more machines of the same CPU, microcode, thread state and image are a fleet. In it a machine is an "
        "outlier in a row whose value less than a tenth share, or whose median or 99th percentile lies eight median "
        "absolute deviations away. A guest (pmu=virtual) is set beside the hardware with its signature.\n\n"
        "The HTML page needs nothing else: it filters and sorts, draws each measurement's distribution, and can be "
        "printed.",
    .options = options,
    .statuses = "0 if the comparison was written, whatever it says; 99 if not.",
    .examples = "pmucheck compare old-bios.log new-bios.log --chapter=handoff\n"
                "pmucheck compare --format=html -o fleet.html lab/*.log",
    .run = run,
};
