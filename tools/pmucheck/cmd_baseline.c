/* pmucheck baseline: a directory of accepted results, and what is new beside them. */
#include "tools/pmucheck/command.h"
#include "tools/pmucheck/compare/baseline.h"
#include "tools/pmucheck/load.h"
#include "tools/text_file.h"
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *who, *why;
static bool accept;

static const struct option_row options[] = {
    {'a', "accept", NULL, "Adds the logs to what is accepted; needs --why.", NULL, &accept},
    {0, "who", "NAME", "Who accepts them (the user's name).", &who, NULL},
    {0, "why", "TEXT", "Why they are good.", &why, NULL},
    {0},
};

/* ---- Files */

static bool exists(const char *path)
{
    return access(path, F_OK) == 0;
}

/* NULL, with a message, if it is none. */
static cJSON *read_baseline(const char *path)
{
    size_t size;
    char *text = text_file_read("pmucheck baseline", path, &size);
    if (!text)
        return NULL;
    const char *end = NULL;
    cJSON *baseline = cJSON_ParseWithLengthOpts(text, size, &end, false);
    unsigned line = 1;
    for (const char *c = text; !baseline && end && c < end; c++)
        line += *c == '\n';
    const char *refusal = baseline ? baseline_refusal(baseline) : "it is not JSON from here on";
    free(text);
    if (!refusal)
        return baseline;
    command_refuse(&command_baseline, "%s:%u: %s; repair it, or remove it and accept its logs again", path, line,
                   refusal);
    cJSON_Delete(baseline);
    return NULL;
}

/* Another file first, then renamed: a crash leaves the old one. */
static bool write_baseline(const cJSON *baseline, const char *path)
{
    char other[PATH_MAX + 8];
    snprintf(other, sizeof(other), "%s.new", path);
    char *text = cJSON_Print(baseline);
    FILE *out = text ? load_output(&command_baseline, other) : NULL;
    bool good = out && fprintf(out, "%s\n", text) > 0;
    if (out)
        good = load_close(&command_baseline, other, out) && good;
    cJSON_free(text);
    if (good && rename(other, path) == 0)
        return true;
    if (good)
        command_refuse(&command_baseline, "%s cannot be replaced: %s", path, strerror(errno));
    return false;
}

/* ---- One run */

static const char *today(char text[32])
{
    time_t now = time(NULL);
    strftime(text, 32, "%Y-%m-%d", gmtime(&now));
    return text;
}

static int accept_run(const char *path, const struct facts *facts, const char *log)
{
    char date[32];
    const char *user = who ? who : getenv("USER");
    const struct baseline_note note = {log, user ? user : "unknown", why, today(date)};
    cJSON *baseline = exists(path) ? read_baseline(path) : baseline_new(facts);
    if (!baseline)
        return STATUS_ERROR;
    baseline_accept(baseline, facts, &note);
    bool written = write_baseline(baseline, path);
    cJSON_Delete(baseline);
    if (written)
        printf("%s: accepted into %s\n", log, path);
    return written ? STATUS_PASS : STATUS_ERROR;
}

static int judge_run(const char *path, const struct facts *facts, const char *log)
{
    if (!exists(path)) {
        printf("%s: %s: no baseline for machines of this kind (%s)\n", log, facts->run->pmu, path);
        return STATUS_UNTESTED;
    }
    cJSON *baseline = read_baseline(path);
    if (!baseline)
        return STATUS_ERROR;
    printf("%s: %s against %s\n", log, facts->run->pmu, path);
    struct baseline_findings found = baseline_judge(stdout, baseline, facts);
    cJSON_Delete(baseline);
    printf("  %u worse, %u fixed, %u changed, %u measurements outside, %u unknown tests\n", found.worse, found.fixed,
           found.changed, found.outside, found.unknown);
    return found.worse ? STATUS_FAIL : found.outside ? STATUS_REVIEW : STATUS_PASS;
}

static int each_run(const char *directory, const struct log_file *file, const struct log_boot *boot,
                    const struct log_run *run)
{
    struct arena arena = {0};
    struct facts facts;
    char path[PATH_MAX];
    facts_read(&arena, boot, run, &facts);
    snprintf(path, sizeof(path), "%s/%s", directory, baseline_name(&arena, &facts));
    int status = accept ? accept_run(path, &facts, file->path) : judge_run(path, &facts, file->path);
    arena_free(&arena);
    return status;
}

/* A damaged log is judged by what is certain, and never accepted. */
static int each_boot(const char *directory, const struct log_file *file, const struct log_boot *boot)
{
    int status = STATUS_PASS;
    if (boot->problems.count) {
        command_refuse(&command_baseline, "%s:%u: %s%s", file->path, boot->problems.item[0].line,
                       boot->problems.item[0].text, accept ? "; it is not accepted" : "");
        status = STATUS_ERROR;
    }
    for (unsigned i = 0; i < boot->runs.count && !(accept && status == STATUS_ERROR); i++)
        if (log_run_of_tests(&boot->runs.item[i]))
            status = (int)log_worse((enum log_status)status,
                                    (enum log_status)each_run(directory, file, boot, &boot->runs.item[i]));
    return status;
}

static int run(int argc, char **argv)
{
    int status = STATUS_PASS;
    if (argc < 2)
        return command_refuse(&command_baseline, "name the directory of baselines, and logs");
    if (accept && !why)
        return command_refuse(&command_baseline, "--accept needs --why=TEXT: later readers will want to know");
    if (accept && mkdir(argv[0], 0777) != 0 && errno != EEXIST)
        return command_refuse(&command_baseline, "%s cannot be made: %s", argv[0], strerror(errno));
    struct log_file *files = load_logs(&command_baseline, argc - 1, argv + 1);
    if (!files)
        return STATUS_ERROR;
    for (int i = 0; i < argc - 1; i++)
        for (unsigned b = 0; b < files[i].boots.count; b++)
            status = (int)log_worse((enum log_status)status,
                                    (enum log_status)each_boot(argv[0], &files[i], &files[i].boots.item[b]));
    load_free(files, (unsigned)argc - 1);
    return status;
}

const struct command command_baseline = {
    .name = "baseline",
    .summary = "judges logs by accepted ones of the same signature, microcode and thread state",
    .arguments = "DIRECTORY LOG...",
    .description =
        "The directory has a JSON file for each kind of machine, named SIGNATURE-MICROCODE-THREADS.json; it is meant "
        "to be kept under version control. With --accept the logs are added to it: each test's outcomes and failed "
        "checks, each measurement's range, who accepted which log and why. Damaged logs are not accepted.\n\n"
        "Without it the logs are judged: worse is a failure, error or review where there was none, or a check that "
        "did not fail; fixed what no longer fails; changed any other outcome, as a test that is now skipped; outside "
        "a measurement whose median lies outside of everything accepted.",
    .options = options,
    .statuses = "0 nothing worse, 1 worse, 2 only measurements outside, 77 no baseline for machines of this kind, 99 a "
                "damaged log or file.",
    .examples = "pmucheck baseline --accept --why=\"first machine of the rack\" lab/baseline lab-7.log\n"
                "pmucheck baseline lab/baseline today/*.log",
    .run = run,
};
