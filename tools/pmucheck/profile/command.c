/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck profile: makes a profile of the reference PMU from a machine's log. */
#include "tools/pmucheck/command/command.h"
#include "tools/pmucheck/command/load.h"
#include "tools/pmucheck/profile/hand.h"
#include "tools/pmucheck/profile/make.h"
#include "tools/pmucheck/report/report.h"
#include <ctype.h>
#include <string.h>

static const char *output, *name, *wanted;
static bool packed;

static const struct option_row options[] = {
    {'n', "name", "NAME", &name, NULL,
     "The profile's name (by default the output file's or the log's). The file must be NAME.profile."},
    {'o', "output", "FILE", &output, NULL, "Writes there instead of to standard output."},
    {0, "run", "PMU", &wanted, NULL, "In a log with several runs: the run to take, as its # run line names it."},
    {0, "packed", NULL, NULL, &packed,
     "Instead of a log reads a profile's text, and writes it as the image of this build takes it."},
    {0},
};

/* The only run of tests, or the one of --run. */
static const struct log_run *find_run(const struct log_file *file, const struct log_boot **boot)
{
    const struct log_run *found = NULL;
    unsigned count = 0;
    for (unsigned b = 0; b < file->boots.count; b++)
        for_each_item (file->boots.item[b].runs, run) {
            if (!log_run_of_tests(run) || (wanted && strcmp(run->pmu, wanted) != 0))
                continue;
            found = run;
            *boot = &file->boots.item[b];
            count++;
        }
    if (count == 1)
        return found;
    command_refuse(&command_profile, count ? "%s: has %u runs; choose one by --run=PMU" : "%s: has no such run",
                   file->path, count);
    return NULL;
}

/* The file's name as a profile's name: other characters than letters and digits become dashes. */
static const char *default_name(const char *path, char *text, size_t size)
{
    const char *slash = strrchr(path, '/');
    size_t length = 0;
    for (const char *c = slash ? slash + 1 : path; *c && *c != '.' && length + 1 < size; c++)
        text[length++] = isalnum((unsigned char)*c) ? (char)tolower((unsigned char)*c) : '-';
    text[length] = 0;
    return text;
}

/* The build requires that a profile's file has its name. */
static bool named_output(void)
{
    return output && strcmp(output, "-") != 0 && strncmp(output, "/dev/", 5) != 0;
}

static int make(const struct log_file *file)
{
    const struct log_boot *boot = NULL;
    const struct log_run *run = find_run(file, &boot);
    struct arena arena = {0};
    struct facts facts;
    char text[32];
    int status = STATUS_ERROR;
    if (!run)
        return STATUS_ERROR;
    facts_read(&arena, boot, run, &facts);
    const char *refusal = profile_refusal(&facts),
               *called = name ? name : default_name(named_output() ? output : file->path, text, sizeof(text));
    if (refusal) {
        command_refuse(&command_profile, "%s:%u: %s", file->path, run->line, refusal);
    } else if (!profile_name_fits(called)) {
        command_refuse(&command_profile, "--name=%s: it must be lower-case letters, digits and dashes", called);
    } else {
        FILE *out = load_output(&command_profile, output);
        if (out)
            profile_make(out, &facts, called, file->path);
        if (out && load_close(&command_profile, output, out))
            status = STATUS_PASS;
    }
    if (boot->problems.count && status == STATUS_PASS)
        fprintf(stderr, "pmucheck profile: %s:%u: %s; lost values are assumed\n", file->path,
                boot->problems.item[0].line, boot->problems.item[0].text);
    arena_free(&arena);
    return status;
}

/* For QEMU's -fw_cfg name=opt/org.pmucheck/profile,file=FILE. */
static int pack(const char *path)
{
    static char bytes[HANDED_BYTES];
    struct arena arena = {0};
    const char *called, *error;
    size_t size = hand_bytes(&arena, path, &called, bytes, &error);
    FILE *out = size ? load_output(&command_profile, output) : NULL;
    int status = STATUS_ERROR;
    if (!size)
        command_refuse(&command_profile, "%s: %s", path, error);
    if (out) {
        fwrite(bytes, 1, size, out);
        status = load_close(&command_profile, output, out) ? STATUS_PASS : STATUS_ERROR;
    }
    arena_free(&arena);
    return status;
}

static int run_command(int argc, char **argv)
{
    if (argc != 1)
        return command_refuse(&command_profile, packed ? "name one profile" : "name one log");
    if (packed)
        return pack(argv[0]);
    struct log_file *files = load_logs(&command_profile, argc, argv);
    if (!files)
        return STATUS_ERROR;
    int status = make(files);
    load_free(files, 1);
    return status;
}

const struct command command_profile = {
    .name = "profile",
    .summary = "turns a machine's log into a profile of the reference PMU",
    .arguments = "LOG",
    .description =
        "Writes the text of a profile: identity and CPUID leaves from the dump; rules for writing registers from the "
        "bit matrices; values at hand-off; clocks, skid and the cost of starting a counter from the measurements. "
        "Each value says where it is from; a value that the log lacks is assumed, and marked so. pmucheck run "
        "--reference=FILE tests the profile. Put into reference/model/profiles, it joins every proof with the "
        "next build: from then on no change can raise a false alarm on that machine unnoticed. --packed is for a QEMU "
        "of your own: -fw_cfg name=opt/org.pmucheck/profile,file=FILE, and the option reference= with its name.",
    .options = options,
    .statuses = "0 if the profile was written, 99 if not.",
    .examples = "pmucheck profile -o lab-7.profile lab-7.log\n"
                "pmucheck run --reference=lab-7.profile",
    .run = run_command,
};
