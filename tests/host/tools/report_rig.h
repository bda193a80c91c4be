/* SPDX-License-Identifier: BSD-2-Clause */
/* A made log's report, in any form. */
#pragma once

#include "host/tools/log_maker.h"
#include "tests/host/case.h"
#include "tools/pmucheck/report/report.h"
#include <stdlib.h>

static char *text; /* the report that was written last */
static const struct image *held_against;

static const char *written(const char *form, const struct log_file *file)
{
    size_t size;
    struct report report;
    free(text);
    text = NULL;
    FILE *out = open_memstream(&text, &size);
    for (const struct report_format *f = report_formats; f->name; f++)
        if (strcmp(f->name, form) == 0) {
            assert_true(report_begin(f, &report, out));
            report.image = held_against;
            report_add(f, &report, file);
            report_end(f, &report);
        }
    fclose(out);
    return text;
}
