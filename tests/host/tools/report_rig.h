/* SPDX-License-Identifier: BSD-2-Clause */
/* A made log's report, in any form. */
#pragma once

#include "host/tools/log_maker.h"
#include "tests/host/tools/text_rig.h"
#include "tools/pmucheck/report/report.h"

static const struct image *held_against;

static const char *written(const char *form, const struct log_file *file)
{
    struct report report;
    FILE *out = text_new();
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
