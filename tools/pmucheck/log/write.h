/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes a log as the image would: by kernel/log/log.h, with check sums and result code. Pure. */
#pragma once

#include "kernel/log/log.h"
#include "kernel/qr/qr.h"
#include <stdio.h>

struct written_log {
    struct log_writer writer;
    struct result_code code;
    FILE *out;
};

void log_write_begin(struct written_log *w, FILE *out);
/* The first line of KTAP, with which the sums begin. */
void log_write_start(struct written_log *w);
void log_write_line(struct written_log *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The line "# result", with the result code; totals: "verdict=pass pass=12 ...". */
void log_write_result(struct written_log *w, const char *totals);
void log_write_end(struct written_log *w, const char *totals);
