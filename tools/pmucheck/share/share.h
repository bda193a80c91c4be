/*
 * What of a log may be given to others: a log again, whole, of those lines and fields that are known to name nobody. It
 * is written anew from what was read, so that nothing else that came over the line is in it. Pure.
 */
#pragma once

#include "tools/pmucheck/log/facts.h"
#include <stdio.h>

/* NULL, or why others could do nothing with this log. */
const char *share_refusal(const struct log_file *file);

/* What does not go out. */
struct share_left {
    unsigned lines;             /* of kinds that are not shared, and other's */
    LIST(const char *) removed; /* "# machine name=lab-7": each field that was taken out, with its value */
};

/* Writes the log as it goes out; what is left out is told in `left`, which lives in the arena. */
void share_write(FILE *out, struct arena *arena, const struct log_file *file, bool board, struct share_left *left);
