/* SPDX-License-Identifier: BSD-2-Clause */
/* Patterns and comma-separated lists, as in run=GLOB,... Pure. */
#pragma once

#include "boot/bits.h"

/* True if the whole text matches the pattern: '*' is any run of characters, '?' any one, others match themselves. */
bool glob_match(const char *pattern, const char *text);
/* True if text matches at least one pattern of the comma-separated list. An empty item matches nothing. */
bool glob_list_match(const char *list, const char *text);
/*
 * Takes the next item off the list: copies it, cut to size - 1 characters, into item and moves *list past it. Skips
 * empty items. False at the end of the list.
 */
bool list_next(const char **list, char *item, size_t size);
