/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck judge: judges a recorded log by the present rules. */
#include "tools/pmucheck/command/command.h"
#include "tools/json.h"
#include "tools/pmucheck/command/form.h"
#include "tools/pmucheck/command/load.h"
#include "tools/pmucheck/judge/judge.h"
#include <string.h>

static const char *output, *format;

static const struct option_row options[] = {
    {'f', "format", "FORM", &format, NULL,
     "text (default) or json; without it json if the output's name ends in .json."},
    {'o', "output", "FILE", &output, NULL, "Writes there instead of to standard output."},
    {0},
};

struct job {
    FILE *out;          /* of the text; NULL: the output is JSON */
    json_object *boots; /* of the JSON; NULL: the output is text */
    unsigned logs;
    enum log_status status;
};

static void judge(void *context, const struct log_file *file)
{
    struct job *job = context;
    enum log_status status = rejudge(job->out, job->boots, file);
    job->status = job->logs++ ? log_worse(job->status, status) : status;
}

/* {"schema", "status", "boots"} */
static void write_json(FILE *out, const struct job *job)
{
    json_object *whole = json_object_new_object();
    json_add_text(whole, "schema", "pmucheck-rejudgement-1");
    json_add_number(whole, "status", job->status);
    json_object_object_add(whole, "boots", job->boots);
    put_json(out, whole, true);
    fputc('\n', out);
}

static int run(int argc, char **argv)
{
    struct job job = {.status = STATUS_PASS};
    struct load_visitor visitor = {.visit = judge, .context = &job};
    static const char *const forms[] = {"text", "json", NULL};
    if (argc == 0)
        return command_refuse(&command_judge, "name the logs to judge");
    const void *form = form_settle(&command_judge, forms, sizeof(*forms), format, output);
    if (!form)
        return STATUS_ERROR;
    bool json = form == &forms[1];
    FILE *out = load_output(&command_judge, output);
    if (!out)
        return STATUS_ERROR;
    job.out = json ? NULL : out;
    job.boots = json ? json_object_new_array() : NULL;
    if (!load_each(&command_judge, argc, argv, &visitor))
        job.status = STATUS_ERROR;
    if (json)
        write_json(out, &job);
    return load_close(&command_judge, output, out) ? (int)job.status : STATUS_ERROR;
}

const struct command command_judge = {
    .name = "judge",
    .summary = "judges recorded logs again by the present errata and evidence, and lists the changes",
    .arguments = "LOG...",
    .description =
        "The facts of a log stay the same, but their meaning may change: with a new erratum, or a new log that shows "
        "the check passing on such CPUs. Each failed check is judged again by the image's own rules, with the "
        "signature, microcode, threads and CPUID leaves of the cores that showed it, as the log has them. Changes are "
        "listed by check and test, with the verdict then and now. So an erratum that is entered today clears last "
        "year's review.\n\n"
        "Errors, skips and passes stay. A failed check in a log that does not name the promise it asked for (asks=) "
        "keeps its erratum, and gets no other one. If the log left out failed checks, the test's outcome does not "
        "improve.\n\n"
        "The JSON has \"schema\": \"pmucheck-rejudgement-1\"; \"status\", the exit status; and \"boots\", one object "
        "for each start of the image: log, version, commit; was and is, the verdicts then and now (empty: none is "
        "possible); unasked, the number of failed checks without asks=; runs: pmu, signature, microcode, and the "
        "changes: results (test, was, is) and checks (test, label, cpus, was, was_erratum, is, is_erratum; is null: "
        "no present test has the check).",
    .options = options,
    .statuses = "By the new verdict: 0 pass, 1 fail, 2 review, 77 untested, 99 error or a damaged log; of several "
                "logs the worst.",
    .examples = "pmucheck judge archive/*.log\n"
                "pmucheck judge --format=json -o changed.json archive/*.log",
    .run = run,
};
