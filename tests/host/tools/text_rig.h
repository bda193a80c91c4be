/* SPDX-License-Identifier: BSD-2-Clause */
/* The text that was written last, and what it must say; what is missing there is named with the whole text. */
#pragma once

#include "tests/host/case.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *text;
static size_t text_size;

/* What is written there is the text when it is closed. The one before is freed. */
static inline FILE *text_new(void)
{
    free(text);
    text = NULL;
    return open_memstream(&text, &text_size);
}

static inline bool has(const char *words)
{
    return strstr(text, words);
}

/* Has one line both? */
static inline bool line_has(const char *row, const char *words)
{
    for (const char *at = strstr(text, row); at; at = strstr(at + 1, row)) {
        const char *end = strchr(at, '\n'), *found = strstr(at, words);
        if (found && found < end)
            return true;
    }
    return false;
}

static inline void says_each(bool wanted, const char *const *words)
{
    for (; *words; words++)
        if (has(*words) != wanted)
            fail_msg("%s \"%s\" in:\n%s", wanted ? "no" : "there is", *words, text);
}
#define says(...) says_each(true, (const char *const[]){__VA_ARGS__, NULL})
#define says_not(...) says_each(false, (const char *const[]){__VA_ARGS__, NULL})

static inline void says_of(const char *row, const char *words)
{
    if (!line_has(row, words))
        fail_msg("no line with \"%s\" and \"%s\" in:\n%s", row, words, text);
}
