/* SPDX-License-Identifier: BSD-2-Clause */
/* Where in a line of a capture the image's own text stands: behind a time stamp, a host's name, a quote's mark. Pure.
 */
#pragma once

#include "tools/span.h"

struct spot {
    bool found;       /* the line may be the image's */
    bool strict;      /* it has the form of the image's lines, not only their first letters */
    unsigned prefix;  /* length of what stands before, without the blanks in between */
    unsigned blanks;  /* the blanks: the end of the prefix, and the indentation */
    struct span text; /* from the image's first letter on, without blanks at the end */
};

/* Finds the first place in the line from where it has the form of an image's line. */
struct spot spot_of(struct span line);

/* Lines by which a reader finds its way; all of them are at level 0, but "KTAP version 1". */
enum mark { MARK_NONE, MARK_OPENS, MARK_FIRST_WORDS, MARK_NAMES, MARK_SYNC, MARK_END };
enum mark spot_mark(const struct spot *spot);
/* Is it a numbered result with a test's id? */
bool spot_is_result(struct span text);
