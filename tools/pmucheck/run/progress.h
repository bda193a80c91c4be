/* How far a running image has come, told from the log's bytes as they arrive. Pure. */
#pragma once

#include "tools/pmucheck/log/log.h"

#define PROGRESS_LINE 1024

struct progress {
    char line[PROGRESS_LINE]; /* the line that is arriving */
    size_t length;
    bool ended;             /* the END line came */
    unsigned plan, results; /* of the level that has tests now */
    unsigned runs, run;     /* of how many runs, which; 0: there is only one */
    unsigned count[LOG_OUTCOMES];
    char test[96], pmu[96]; /* what runs now */
};

/*
 * Takes bytes up to the end of a line; returns how many. *line is that line, without its end, if it has come as a
 * whole, else NULL. It is good until the next call.
 */
size_t progress_take(struct progress *progress, const char *bytes, size_t size, const char **line);
/* Is this a line that a person wants to see while the bar runs? */
bool progress_notable(const char *line);
/* The bar in at most `width` characters. */
void progress_bar(const struct progress *progress, unsigned seconds, unsigned width, char *text, size_t size);
