/* SPDX-License-Identifier: BSD-2-Clause */
/* Any codes, one on each line; and any short log, as if it came from valid codes. */
#include "kernel/qr/qr.h"
#include "tools/pmucheck/log/log.h"
#include "tools/pmucheck/scan/scan.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void add_lines(struct scan *scan, char *text)
{
    const struct scan_series *more, *found;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        scan_add(scan, line, "fuzz");
    for (const char *letter = "RN"; *letter; letter++)
        if ((found = scan_find(scan, *letter, &more))) {
            scan_missing(scan, found);
            scan_text(scan, found);
        }
}

static void add_variable(struct scan *scan, const uint8_t *data, size_t size)
{
    const struct scan_series *more, *found;
    scan_add_variable(scan, data, size, "fuzz");
    if ((found = scan_find(scan, QR_SERIES_RESULTS, &more)))
        scan_text(scan, found);
}

static void make_log(const char *results)
{
    struct log_file file;
    char *text = NULL;
    size_t length;
    uint32_t sum;
    FILE *out = open_memstream(&text, &length);
    scan_names_wanted(results, &sum);
    scan_write(out, results, "a.a\nb.b\nc.c\nd.d\n", 2);
    fclose(out);
    log_read(&file, "fuzz", text, length);
    log_free(&file);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct scan scan = {0};
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = 0;
    make_log(text);
    add_lines(&scan, text);
    scan_free(&scan);
    add_variable(&scan, data, size);
    scan_free(&scan);
    free(text);
    return 0;
}
