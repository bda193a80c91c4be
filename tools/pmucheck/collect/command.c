/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck collect: makes a log of the data that the image left for the next Linux. */
#include "tools/pmucheck/command/command.h"
#include "tools/pmucheck/collect/collect.h"
#include "tools/pmucheck/command/load.h"
#include "tools/pmucheck/report/report.h"
#include "tools/pmucheck/scan/scan.h"
#include "tools/text_file.h"
#include <stdlib.h>
#include <string.h>

static const char *output, *names_log;

static const struct option_row options[] = {
    {'o', "output", "FILE", &output, NULL, "Writes the log there instead of to standard output."},
    {'n', "names", "LOG", &names_log, NULL,
     "Takes the names of the tests from this log of the same image, such as one of the option list."},
    {0},
};

/* Prints the problems of the written log to standard error: it may be cut, or have a gap. */
static int judge(const char *path, const char *text, size_t size)
{
    struct log_file file;
    unsigned problems = 0;
    log_read(&file, path, text, size);
    for_each_item (file.boots, boot)
        problems += boot->problems.count;
    if (problems)
        report_problems(stderr, &file);
    log_free(&file);
    return problems ? STATUS_ERROR : STATUS_PASS;
}

static int write_log(const char *path, const char *text, size_t size)
{
    FILE *out = load_output_log(&command_collect, output);
    if (!out)
        return STATUS_ERROR;
    fwrite(text, 1, size, out);
    if (!load_close(&command_collect, output, out))
        return STATUS_ERROR;
    fprintf(stderr, "pmucheck collect: the log is from %s\n", path);
    return judge(path, text, size);
}

/* The variable holds only identity, outcomes and failures. */
static int write_variable(const char *path, const char *text, size_t size)
{
    struct scan scan = {0};
    int status = STATUS_ERROR;
    if (scan_add_variable(&scan, (const unsigned char *)text, size, path) != SCAN_TAKEN)
        command_refuse(&command_collect, "%s: another version of pmucheck wrote it, or it is damaged", path);
    else
        status = results_write(&(struct short_log){&command_collect, &scan, names_log, output});
    if (status == STATUS_PASS)
        fprintf(stderr, "pmucheck collect: the log is from %s, without measurements\n", path);
    scan_free(&scan);
    return status;
}

/* Returns -1 if the file has no log. */
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
                       "%s: this is no log of the image: its memory was cleared, or differs from that of save=", path);
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
    .summary = "makes the log from the data that the image left for the next Linux",
    .arguments = "[FILE...]",
    .description =
        "Without a serial line, the image's option save= leaves its log in memory that a warm reset keeps, or its "
        "results in a variable of UEFI. Linux shows the memory in pstore, once ramoops is loaded with the address and "
        "size of save=, and the variable in efivarfs; systemd moves records from pstore to /var/lib/systemd/pstore, "
        "where the newest counts. Without a FILE the command searches these places, and prefers a whole log; a FILE is "
        "a copy of a file of theirs from another machine.\n\n"
        "Names what is missing: a place that is not mounted, a missing record, or the missing end of a log.",
    .options = options,
    .statuses = "0 if a whole log was written, 99 if there is none, or if it has problems, which are printed.",
    .examples = "ssh root@lab7 pmucheck collect >lab7.log",
    .run = run,
};
