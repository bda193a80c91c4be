/* Writes a log with the check sums that the image would give it, line by line. Pure. */
#pragma once

#include "kernel/qr/result_code.h"
#include <stdint.h>
#include <stdio.h>

struct log_writer {
    FILE *out;
    uint32_t whole, block; /* sums of all lines, and of those since the last sync line */
    unsigned lines, syncs;
    struct result_code code;
};

void log_write_begin(struct log_writer *w, FILE *out);
/* A line without its end. */
void log_write_line(struct log_writer *w, const char *line);
/* The lines "# result" and "# end"; totals: "verdict=pass pass=12 ...". */
void log_write_end(struct log_writer *w, const char *totals);
