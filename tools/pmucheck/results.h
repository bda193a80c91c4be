/* From the short log that the image leaves where there is no serial line, on its screen or in a variable, to a log. */
#pragma once

#include "tools/pmucheck/command.h"
#include "tools/pmucheck/scan/scan.h"

struct results {
    const struct command *command; /* whose messages they are */
    struct scan *scan;             /* what was read */
    const char *names;             /* a log of the same image, for the names of its tests; NULL: none */
    const char *output;            /* NULL: standard output */
};

/* Writes the log. An exit status; what is missing is told. */
int results_write(const struct results *results);
