/* pmucheck report: what a log amounts to, in several forms. */
#include "kernel/qr/result_code.h"
#include "tools/pmucheck/command.h"
#include "tools/pmucheck/load.h"
#include "tools/pmucheck/report/report.h"
#include <string.h>

static const char *format = "text", *output, *wanted_code;
static bool quiet;

static const struct option_row options[] = {
    {'f', "format", "FORM", "text (default), json, junit, ktap or lava.", &format, NULL},
    {'o', "output", "FILE", "Writes there instead of to standard output.", &output, NULL},
    {'c', "code", "CODE", "Compares the result code, read from a photo, with that of each log.", &wanted_code, NULL},
    {'q', "quiet", NULL, "Tells only what is wrong with the logs themselves.", NULL, &quiet},
    {0},
};

static const struct report_format *find_format(void)
{
    for (const struct report_format *f = report_formats; f->name; f++)
        if (strcmp(f->name, format) == 0)
            return f;
    return NULL;
}

/* Are these the logs of what somebody saw on the screen? */
static bool compare_codes(const struct log_file *files, int count, const char *code)
{
    bool same = true;
    for (int i = 0; i < count; i++) {
        const struct log_boot *last = &files[i].boots.item[files[i].boots.count - 1];
        if (strcmp(last->code, code) == 0)
            continue;
        same = false;
        command_refuse(&command_report, "%s: its result code is %s, not %s", files[i].path,
                       last->code[0] ? last->code : "missing", code);
    }
    return same;
}

static int run(int argc, char **argv)
{
    const struct report_format *form = find_format();
    if (!form)
        return command_refuse(&command_report, "--format=%s: it must be text, json, junit, ktap or lava", format);
    if (argc == 0)
        return command_refuse(&command_report, "name a log, or - for standard input");
    char code[RESULT_CODE_SIZE];
    if (wanted_code && !result_code_parse(wanted_code, code))
        return command_refuse(&command_report, "--code=%s: a result code has eight letters and digits, as 7K3M-9XQA",
                              wanted_code);
    struct log_file *files = load_logs(&command_report, argc, argv);
    if (!files)
        return STATUS_ERROR;
    enum log_status status = load_status(files, (unsigned)argc);
    if (wanted_code && !compare_codes(files, argc, code))
        status = STATUS_ERROR;
    FILE *out = load_output(&command_report, output);
    if (!out)
        status = STATUS_ERROR;
    else if (quiet)
        report_problems(out, files, (unsigned)argc);
    else
        form->write(out, files, (unsigned)argc);
    if (out && !load_close(&command_report, output, out))
        status = STATUS_ERROR;
    load_free(files, (unsigned)argc);
    return status;
}

const struct command command_report = {
    .name = "report",
    .summary = "tells what a log amounts to: as text, JSON, JUnit XML, KTAP or LAVA signals",
    .arguments = "LOG...",
    .description =
        "Reads logs as they were captured: noise before and between the lines, time stamps before them, several "
        "boots in one file, lines that are cut, damaged or lost. Check sums, the plan and the numbers of the results "
        "tell what is certain; a test without a result is reported as lost, with its name where anything tells it. A "
        "LOG named - is standard input.\n\n"
        "The JSON has \"schema\": \"pmucheck-report-1\" and \"boots\", one object for each start of the image:\n\n"
        "    file, line        where it stands; lines count from 1\n"
        "    version, commit   of the image\n"
        "    verdict, totals   of the END line; an empty verdict without one\n"
        "    code              the result code, as the screen shows it at the end\n"
        "    complete, status  whether nothing is wrong with the log; the exit status that it alone would give\n"
        "    machine           the fields of the # machine line\n"
        "    records           comment lines before KTAP began: kind, subject, line, fields\n"
        "    runs              pmu (null: a sum over other runs), plan, records before the first test, results\n"
        "    problems          what is wrong with the log: line, text\n\n"
        "A result has number, id, outcome (pass, fail, known, review, skip, error, lost), reason, trust (checked, "
        "unchecked: no check sum covers it, damaged), line, and the records of its test. Fields are strings, as the "
        "log spells them.\n\n"
        "In JUnit XML review counts as a failure, known as skipped, lost as an error. LAVA gets review and lost as "
        "unknown, and a test case with its median for each measurement.",
    .options = options,
    .statuses = "0 pass, 1 fail, 2 review, 77 untested, 99 error, a damaged log or no END line; of several logs the "
                "worst.",
    .examples = "pmucheck report build/logs/run.log\npmucheck report --format=junit -o results.xml lab/*.log",
    .run = run,
};
