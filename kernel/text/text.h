/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts: C's functions for memory and strings, printing, numbers, patterns, likely words, and checksums. */
#pragma once

#include "boot/bits.h"
#include <stdarg.h>

/*
 * The C library's memory and string functions that the image uses; compilers also generate calls of the first four.
 * Same names and contracts as there, so that programs of the build machine link the C library's own instead.
 */

void *memcpy(void *restrict to, const void *restrict from, size_t length);
void *memmove(void *to, const void *from, size_t length);
void *memset(void *to, int byte, size_t length);
int memcmp(const void *left, const void *right, size_t length);
size_t strlen(const char *text);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t length);
char *strchr(const char *text, int byte);

/*
 * snprintf for the image: %d %i %u %x %X %o %c %s %p %% with flags '-', '0', width, precision (also '*') and the length
 * modifiers hh, h, l, ll, z, j, t. Always terminates; returns the length that the whole text would have had. Pure.
 */

int format_args(char *text, size_t size, const char *format, va_list args);
__attribute__((format(printf, 3, 4))) int format_text(char *text, size_t size, const char *format, ...);
/* Writes value as a log value: quoted, with backslash escapes, if it holds anything but [A-Za-z0-9._:+/-]. */
const char *format_quoted(char *text, size_t size, const char *value);

/* ---- Numbers as users write them. Pure. */

/*
 * Reads a decimal or 0x hexadecimal number at the start of text. Returns what follows its last digit, or NULL (with
 * *number left alone) if there is no digit or the number does not fit 64 bits.
 */
const char *number_parse(const char *text, u64 *number);
/* Takes a number below a billion off the start of the text, which advances; false, with nothing changed, if none is
 * there. */
bool number_take(const char **text, u32 *number);

/* ---- Patterns and comma-separated lists, as in run=GLOB,... Pure. */

/* True if the whole text matches the pattern: '*' is any run of characters, '?' any one, others match themselves. */
bool glob_match(const char *pattern, const char *text);
/* True if text matches at least one pattern of the comma-separated list. An empty item matches nothing. */
bool glob_list_match(const char *list, const char *text);
/*
 * Takes the next item off the list: copies it, cut to size - 1 characters, into item and moves *list past it. Skips
 * empty items. False at the end of the list.
 */
bool list_next(const char **list, char *item, size_t size);

/* ---- The word that a mistyped one was meant to be. Pure. */

struct near {
    const char *typed, *word; /* word: the most similar of those tried; NULL: none is similar enough */
    unsigned distance;        /* of it; of others less is wanted */
};

/* At most one letter in three, and one more, may differ. */
struct near near_to(const char *typed);
/* Takes the word if it is more similar than those before; words of more than 23 letters are never taken. */
void near_try(struct near *near, const char *word);

/* ---- The CRC-32 of zlib, gzip and Ethernet, so that any scripting language can check a log. Pure. */

/* Continues `crc` (0 at the start) over length bytes. */
u32 crc32_update(u32 crc, const void *data, size_t length);
