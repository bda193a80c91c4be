/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes a log from the short log that the image leaves on its screen or in a variable, without a serial line. */
#pragma once

#include "tools/pmucheck/command.h"
#include "tools/pmucheck/scan/scan.h"

struct results {
    const struct command *command; /* for messages */
    struct scan *scan;             /* the codes or the variable */
    const char *names;             /* a log of the same image, for the names of its tests; NULL: none */
    const char *output;            /* NULL: standard output */
};

/* Writes the log. Returns an exit status; missing parts are reported. */
int results_write(const struct results *results);
