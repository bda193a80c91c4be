/* pmucheck judge: what a recorded log means by the rules of today. */
#include "tools/pmucheck/command.h"
#include "tools/pmucheck/judge/rejudge.h"
#include "tools/pmucheck/load.h"
#include <stdlib.h>

static const char *output;

static const struct option_row options[] = {
    {'o', "output", "FILE", "Writes there instead of to standard output.", &output, NULL},
    {0},
};

struct job {
    FILE *out;
    unsigned logs;
    enum log_status status;
};

static void judge(void *context, const struct log_file *file)
{
    struct job *job = context;
    enum log_status status = rejudge(job->out, file);
    job->status = job->logs++ ? log_worse(job->status, status) : status;
}

static int run(int argc, char **argv)
{
    struct job job = {.status = STATUS_PASS};
    struct load_visitor visitor = {judge, NULL, &job};
    if (argc == 0)
        return command_refuse(&command_judge, "name the logs that are to be judged");
    job.out = load_output(&command_judge, output);
    if (!job.out)
        return STATUS_ERROR;
    if (!load_each(&command_judge, argc, argv, &visitor))
        job.status = STATUS_ERROR;
    return load_close(&command_judge, output, job.out) ? (int)job.status : STATUS_ERROR;
}

const struct command command_judge = {
    .name = "judge",
    .summary = "judges recorded logs anew by the errata and the evidence of today, and tells what that changes",
    .arguments = "LOG...",
    .description =
        "What a log saw stays as it is; what it means may have changed: an erratum was entered since, or a log that "
        "shows "
        "the check passing on such CPUs. Each failed check is judged again as the image judges it, on the signature, "
        "microcode, threads and leaves of CPUID that the log tells of the cores which showed it. What changes is told "
        "by "
        "check and test, and the verdict then and now. An erratum entered today so clears last year's review.\n\n"
        "Errors, skips and what passed stay. A failed check of a log that does not tell what it asked (asks=) keeps "
        "its "
        "erratum, and gets no other. Where the log left failed checks out, the test becomes no better.",
    .options = options,
    .statuses = "That of the verdict now: 0 pass, 1 fail, 2 review, 77 untested, 99 error or a damaged log; of several "
                "logs the worst.",
    .examples = "pmucheck judge archive/*.log",
    .run = run,
};
