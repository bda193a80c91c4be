/* pmucheck scan: photos of the image's screen become a log. */
#include "kernel/qr/qr_series.h"
#include "tools/pmucheck/load.h"
#include "tools/pmucheck/scan/names.h"
#include "tools/pmucheck/scan/scan.h"
#include <stdlib.h>
#include <string.h>

static const char *output, *names_log;

static const struct option_row options[] = {
    {'o', "output", "FILE", "Writes the log there instead of to standard output.", &output, NULL},
    {'n', "names", "LOG", "Takes the names of the tests from this log of the same image.", &names_log, NULL},
    {0},
};

/* ---- Reading the photos */

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

/* The text of a series that must be whole. */
static const char *whole_text(struct scan *scan, const struct scan_series *series, const char *what)
{
    const char *missing = scan_missing(scan, series), *text = scan_text(scan, series);
    if (missing[0])
        command_refuse(&command_scan, "%s: other codes with the %s are in no photo: %s", series->source, what, missing);
    else if (!text)
        command_refuse(&command_scan, "%s: the %s do not fit their check sum: they are of another version of pmucheck",
                       series->source, what);
    return text;
}

static const char *read_results(struct scan *scan, const struct scan_series **series)
{
    const struct scan_series *other;
    *series = scan_find(scan, QR_SERIES_RESULTS, &other);
    if (!*series) {
        command_refuse(&command_scan, "no photo has a code with results: they come after the pages with findings");
        return NULL;
    }
    if (other) {
        command_refuse(&command_scan, "%s and %s are of two machines or runs: give those of one machine and run",
                       (*series)->source, other->source);
        return NULL;
    }
    return whole_text(scan, *series, "results");
}

/* ---- Names: from the photos, from a log, or those of the image that this program was built with. */

static const char *names_in_log(struct arena *arena, uint32_t sum)
{
    char *path = (char *)names_log;
    struct log_file *file = load_logs(&command_scan, 1, &path);
    if (!file)
        return NULL;
    const char *names = scan_names_of_log(arena, file);
    if (scan_names_sum(names) != sum) {
        command_refuse(&command_scan, "%s: these tests are not all of the image in the photos (ids=%08x, not %08x)",
                       names_log, scan_names_sum(names), sum);
        names = NULL;
    }
    load_free(file, 1);
    return names;
}

static const char *find_names(struct scan *scan, uint32_t sum)
{
    const struct scan_series *other, *series = scan_find(scan, QR_SERIES_NAMES, &other);
    if (names_log)
        return names_in_log(&scan->arena, sum);
    if (scan_names_sum(scan_names_built_in) == sum)
        return scan_names_built_in;
    if (series && series->sum == sum)
        return whole_text(scan, series, "names of the tests");
    command_refuse(
        &command_scan,
        "the photos are of another image than this program's: add those of the codes with names of tests, or "
        "--names=LOG with a log of that image");
    return NULL;
}

/* ---- Both together */

static int write_log(struct scan *scan, const char *results, unsigned parts)
{
    uint32_t sum;
    const char *names = scan_names_wanted(results, &sum) ? find_names(scan, sum) : "";
    FILE *out = names ? load_output(&command_scan, output) : NULL;
    if (!out)
        return STATUS_ERROR;
    scan_write(out, results, names, parts);
    return load_close(&command_scan, output, out) ? STATUS_PASS : STATUS_ERROR;
}

static int run(int argc, char **argv)
{
    struct scan scan = {0};
    const struct scan_series *series;
    int status = STATUS_ERROR;
    if (argc == 0)
        return command_refuse(&command_scan, "name photos of the screen's QR codes");
    const char *results = read_photos(&scan, argc, argv) ? read_results(&scan, &series) : NULL;
    if (results)
        status = write_log(&scan, results, series->parts);
    scan_free(&scan);
    return status;
}

const struct command command_scan = {
    .name = "scan",
    .summary = "turns photos of the screen's QR codes into a log",
    .arguments = "PHOTO...",
    .description =
        "At the end the image's screen turns through its pages: a summary, the findings, then QR codes. Those with "
        "results hold what a log of the serial line would say, without measurements and the reasons for skips. Photos "
        "of them, PNG or JPEG, in any order and more than once, or screenshots, make a log that the other commands "
        "take. Texts of codes that some other reader saw do as well: a file with one a line.\n\n"
        "The codes with names of tests are needed only if the image is not the one that this program was built with.",
    .options = options,
    .statuses = "0 if the log was written, 99 if a code is missing or a file cannot be read.",
    .examples = "pmucheck scan -o lab-7.log IMG_*.jpg",
    .run = run,
};
