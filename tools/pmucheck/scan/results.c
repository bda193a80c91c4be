/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/qr/qr.h"
#include "tools/pmucheck/command/command.h"
#include "tools/pmucheck/command/load.h"
#include "tools/pmucheck/scan/scan.h"
#include <string.h>

/* The text of a series of codes, which must be whole. */
static const char *whole_text(const struct short_log *r, const struct scan_series *series, const char *what)
{
    const char *missing = scan_missing(r->scan, series), *text = scan_text(r->scan, series);
    if (missing[0])
        command_refuse(r->command, "%s: no photo has the other codes with the %s: %s", series->source, what, missing);
    else if (!text)
        command_refuse(r->command, "%s: the %s do not match their check sum: they are from another version of pmucheck",
                       series->source, what);
    return text;
}

static const char *read_results(const struct short_log *r, const struct scan_series **series)
{
    const struct scan_series *other;
    *series = scan_find(r->scan, QR_SERIES_RESULTS, &other);
    if (!*series) {
        command_refuse(r->command, "no photo has a code with results: they come after the pages with findings");
        return NULL;
    }
    if (other) {
        command_refuse(r->command, "%s and %s are from two machines or runs: give photos of one machine and run only",
                       (*series)->source, other->source);
        return NULL;
    }
    return whole_text(r, *series, "results");
}

/* ---- Names: from a log, from codes of an earlier image, or of the image that this program was built with. */

static const char *names_in_log(const struct short_log *r, uint32_t sum)
{
    char *path = (char *)r->names;
    struct log_file *file = load_logs(r->command, 1, &path);
    if (!file)
        return NULL;
    const char *names = scan_names_of_log(&r->scan->arena, file);
    if (scan_names_sum(names) != sum) {
        command_refuse(r->command,
                       "%s: these are not the names of the tests of the image with these results (ids=%08x, not %08x)",
                       r->names, scan_names_sum(names), sum);
        names = NULL;
    }
    load_free(file, 1);
    return names;
}

/* "pmucheck version=1.2 commit=0123456789ab", of the image with these results. */
static const char *version_of(struct arena *arena, const char *results)
{
    static const char begins[] = "# pmucheck ";
    const char *line = strstr(results, begins);
    if (!line)
        return "of an unknown version";
    line += strlen("# ");
    const char *end = strstr(line, " log=");
    size_t length = end && end < line + strcspn(line, "\n") ? (size_t)(end - line) : strcspn(line, "\n");
    return arena_print(arena, "%.*s", (int)length, line);
}

static const char *find_names(const struct short_log *r, const char *results, uint32_t sum)
{
    const struct scan_series *other, *series = scan_find(r->scan, QR_SERIES_NAMES, &other);
    if (r->names)
        return names_in_log(r, sum);
    if (scan_names_sum(scan_names_built_in) == sum)
        return scan_names_built_in;
    if (series && series->sum == sum)
        return whole_text(r, series, "names of the tests");
    command_refuse(r->command,
                   "the results are from another image than this program's, %s: use the program of that version, or "
                   "--names=LOG with a log of that image (pmucheck run --image=IMAGE --options=list makes one)",
                   version_of(&r->scan->arena, results));
    return NULL;
}

int results_write(const struct short_log *r)
{
    const struct scan_series *series;
    uint32_t sum;
    const char *results = read_results(r, &series);
    if (!results)
        return STATUS_ERROR;
    const char *names = scan_names_wanted(results, &sum) ? find_names(r, results, sum) : "";
    FILE *out = names ? load_output_log(r->command, r->output) : NULL;
    if (!out)
        return STATUS_ERROR;
    scan_write(out, results, names, series->variable ? 0 : series->parts);
    return load_close(r->command, r->output, out) ? STATUS_PASS : STATUS_ERROR;
}
