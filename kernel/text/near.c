/* SPDX-License-Identifier: BSD-2-Clause */
/* The word that a mistyped one was meant to be. */
#include "boot/bits.h"
#include "kernel/text/text.h"

/* Edit distance: the insertions, deletions and replacements that turn one name into the other. ~0 for long names. */
static unsigned distance(const char *from, const char *to)
{
    unsigned row[24], length = (unsigned)strlen(to);
    if (length >= ARRAY_SIZE(row))
        return ~0u;
    for (unsigned i = 0; i <= length; i++)
        row[i] = i;
    for (unsigned i = 0; from[i]; i++) {
        unsigned diagonal = row[0];
        row[0] = i + 1;
        for (unsigned j = 1; j <= length; j++) {
            unsigned replaced = diagonal + (from[i] != to[j - 1]);
            unsigned moved = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replaced < moved ? replaced : moved;
        }
    }
    return row[length];
}

struct near near_to(const char *typed)
{
    return (struct near){typed, NULL, (unsigned)strlen(typed) / 3 + 2};
}

void near_try(struct near *near, const char *word)
{
    unsigned away = distance(near->typed, word);
    if (away >= near->distance)
        return;
    near->distance = away;
    near->word = word;
}
