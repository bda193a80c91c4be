/* SPDX-License-Identifier: BSD-2-Clause */
/* Which words match a pattern, and which word a mistyped one was meant to be. */
#include "boot/bits.h"
#include "kernel/text/text.h"

/* ---- Patterns and comma-separated lists, as in run=GLOB,... Pure. */

/* Matches pattern[0..length). On a mismatch the last '*' takes one more character, so time is never exponential. */
static bool match(const char *pattern, size_t length, const char *text)
{
    size_t p = 0, after_star = 0;
    const char *retry = NULL;
    while (*text) {
        if (p < length && pattern[p] == '*') {
            after_star = ++p;
            retry = text;
        } else if (p < length && (pattern[p] == '?' || pattern[p] == *text)) {
            p++;
            text++;
        } else if (retry) {
            p = after_star;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (p < length && pattern[p] == '*')
        p++;
    return p == length;
}

static size_t item_length(const char *item)
{
    size_t length = 0;
    while (item[length] && item[length] != ',')
        length++;
    return length;
}

bool glob_match(const char *pattern, const char *text)
{
    size_t length = 0;
    while (pattern[length])
        length++;
    return match(pattern, length, text);
}

bool glob_list_match(const char *list, const char *text)
{
    for (;;) {
        size_t length = item_length(list);
        if (length && match(list, length, text))
            return true;
        list += length;
        if (!*list++)
            return false;
    }
}

bool list_next(const char **list, char *item, size_t size)
{
    while (**list == ',')
        ++*list;

    size_t length = item_length(*list), copied = 0;

    for (; copied < length && copied + 1 < size; copied++)
        item[copied] = (*list)[copied];
    if (size)
        item[copied] = 0;
    *list += length;
    return length;
}

/* ---- The word that a mistyped one was meant to be. */

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
