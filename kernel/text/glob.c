/* SPDX-License-Identifier: BSD-2-Clause */
/* Patterns and comma-separated lists, as in run=GLOB,... Pure. */
#include "kernel/text/text.h"

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
