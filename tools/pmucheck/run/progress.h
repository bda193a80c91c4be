/* SPDX-License-Identifier: BSD-2-Clause */
/* The progress of a running image, from the log's bytes as they arrive. Pure. */
#pragma once

#include "tools/pmucheck/log/log.h"

#define PROGRESS_LINE 1024

struct progress {
    char line[PROGRESS_LINE]; /* the line being received */
    size_t length;
    bool ended;             /* the END line came */
    unsigned plan, results; /* of the level whose tests run now */
    unsigned runs, run;     /* number of runs and the present one; 0: only one run */
    unsigned count[LOG_OUTCOMES];
    char test[96], pmu[96]; /* the running test */
};

/*
 * Takes bytes up to the end of a line; returns their number. *line is that line, without its end, if it is complete,
 * else NULL. It is valid until the next call.
 */
size_t progress_take(struct progress *progress, const char *bytes, size_t size, const char **line);
/* Is this line shown above the bar? */
bool progress_notable(const char *line);
/* Writes the bar, at most `width` characters. */
void progress_bar(const struct progress *progress, unsigned seconds, unsigned width, char *text, size_t size);
