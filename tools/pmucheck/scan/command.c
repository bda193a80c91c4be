/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck scan: makes a log from photos of the image's screen. */
#include "tools/pmucheck/command/command.h"
#include "tools/pmucheck/log/log.h"
#include "tools/pmucheck/scan/scan.h"

static const char *output, *names_log;

static const struct option_row options[] = {
    {'o', "output", "FILE", &output, NULL, "Writes the log there instead of to standard output."},
    {'n', "names", "LOG", &names_log, NULL,
     "Takes the names of the tests from this log of the same image, such as one of the option list."},
    {0},
};

static bool read_photos(struct scan *scan, int count, char **paths)
{
    const char *first = "";
    unsigned without = 0;
    for (int i = 0; i < count; i++) {
        const char *error;
        int ours = scan_file(scan, paths[i], &error);
        if (ours < 0) {
            command_refuse(&command_scan, "%s: %s", paths[i], error);
            return false;
        }
        if (ours == 0)
            first = without++ ? first : paths[i];
    }
    if (without)
        fprintf(stderr,
                "pmucheck scan: %u of %d photos show no code (%s%s): the pages with the verdict and the findings have "
                "none\n",
                without, count, first, without > 1 ? ", ..." : "");
    return true;
}

static int run(int argc, char **argv)
{
    struct scan scan = {0};
    int status = STATUS_ERROR;
    if (argc == 0)
        return command_refuse(&command_scan, "name photos of the screen's QR codes");
    if (read_photos(&scan, argc, argv))
        status = results_write(&(struct short_log){&command_scan, &scan, names_log, output});
    scan_free(&scan);
    return status;
}

const struct command command_scan = {
    .name = "scan",
    .summary = "turns photos of the screen's QR codes into a log",
    .arguments = "PHOTO...",
    .description =
        "At the end the image's screen turns through its pages: a summary, the findings, then QR codes. The codes "
        "with results hold the content of the serial log, except measurements and the reasons for skips. Photos of "
        "them (PNG or JPEG, in any order, repeated or not) or screenshots make a log that the other commands take. "
        "The texts of the codes from another reader work as well, one a line in a file, and so does the variable of "
        "save=efi, copied from Linux's efivarfs.\n\n"
        "The codes hold no names of tests: this program knows those of the image that it was built with. For photos of "
        "another image use the program of that version, which a message names, or give a log of that image.",
    .options = options,
    .statuses = "0 if the log was written, 99 if a code is missing or a file cannot be read.",
    .examples = "pmucheck scan -o lab-7.log IMG_*.jpg",
    .run = run,
};
