/* pmucheck collect: what the image has left for the Linux that started after it becomes a log. */
#include "tools/pmucheck/load.h"
#include "tools/pmucheck/report/report.h"
#include "tools/pmucheck/results.h"
#include "tools/pmucheck/run/collect.h"
#include "tools/text_file.h"
#include <stdlib.h>
#include <string.h>

static const char *output, *names_log;

static const struct option_row options[] = {
    {'o', "output", "FILE", "Writes the log there instead of to standard output.", &output, NULL},
    {'n', "names", "LOG", "Takes the names of the tests from this log of the same image.", &names_log, NULL},
    {0},
};

/* What is wrong with the log that was written goes to standard error: it may be cut, or have a hole. */
static int judge(const char *path, const char *text, size_t size)
{
    struct log_file file;
    unsigned problems = 0;
    log_read(&file, path, text, size);
    for (unsigned i = 0; i < file.boots.count; i++)
        problems += file.boots.item[i].problems.count;
    if (problems)
        report_problems(stderr, &file);
    log_free(&file);
    return problems ? STATUS_ERROR : STATUS_PASS;
}

static int write_log(const char *path, const char *text, size_t size)
{
    FILE *out = load_output(&command_collect, output);
    if (!out)
        return STATUS_ERROR;
    fwrite(text, 1, size, out);
    if (!load_close(&command_collect, output, out))
        return STATUS_ERROR;
    fprintf(stderr, "pmucheck collect: the log is that of %s\n", path);
    return judge(path, text, size);
}

/* Identity, outcomes and what failed: the variable holds no more. */
static int write_variable(const char *path, const char *text, size_t size)
{
    struct scan scan = {0};
    int status = STATUS_ERROR;
    if (scan_add_variable(&scan, (const unsigned char *)text, size, path) != SCAN_TAKEN)
        command_refuse(&command_collect, "%s: another version of pmucheck wrote it, or it is damaged", path);
    else
        status = results_write(&(struct results){&command_collect, &scan, names_log, output});
    if (status == STATUS_PASS)
        fprintf(stderr, "pmucheck collect: the log is that of %s, without measurements\n", path);
    scan_free(&scan);
    return status;
}

/* -1: there is no log in this file. */
static int take(const char *path)
{
    size_t size;
    char *text = text_file_read("pmucheck collect", path, &size);
    int status = -1;
    if (text && collect_kind(text, size) == COLLECTED_LOG)
        status = write_log(path, text, size);
    else if (text && collect_kind(text, size) == COLLECTED_VARIABLE)
        status = write_variable(path, text, size);
    else if (text)
        command_refuse(&command_collect,
                       "%s: this is no log of the image: its memory was cleared, or is another's than save= named",
                       path);
    free(text);
    return status;
}

static int take_first(unsigned count, const char *const *paths)
{
    int status = -1;
    for (unsigned i = 0; i < count && status < 0; i++)
        status = take(paths[i]);
    return status < 0 ? STATUS_ERROR : status;
}

static int run(int argc, char **argv)
{
    struct arena arena = {0};
    int status;
    if (argc > 0)
        return take_first((unsigned)argc, (const char *const *)argv);
    struct collect_files files = collect_find(&arena, &collect_places);
    if (files.paths.count == 0)
        fputs(files.missing, stderr);
    status = files.paths.count ? take_first(files.paths.count, files.paths.item) : STATUS_ERROR;
    arena_free(&arena);
    return status;
}

const struct command command_collect = {
    .name = "collect",
    .summary = "makes the log of what the image left for the Linux that started after it",
    .arguments = "[FILE...]",
    .description =
        "Where there is no serial line, the image's option save= leaves its log in memory that a warm reset keeps, or "
        "its "
        "results in a variable of UEFI. Linux shows the first in pstore, once ramoops is loaded with the address and "
        "size "
        "that save= named, the second in efivarfs. Without a FILE these places are looked through, and a whole log is "
        "preferred; a FILE is one of theirs, copied from another machine.\n\n"
        "Names what is missing: a place that is not mounted, a record that is not there, an end that the log has not.",
    .options = options,
    .statuses = "0 if a whole log was written, 99 if none was found, or what is wrong with it is told.",
    .examples = "ssh root@lab7 pmucheck collect >lab7.log",
    .run = run,
};
