/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a piece of text that is not ended by NUL: a line of a log, or the rest of it. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct span {
    const char *text;
    size_t length;
};

/* What stands behind its first `length` characters. */
static inline struct span span_behind(struct span span, size_t length)
{
    return (struct span){span.text + length, span.length - length};
}
/* Steps over them. */
static inline void span_step(struct span *span, size_t length)
{
    *span = span_behind(*span, length);
}
/* Without the blanks and tabs at its end. */
static inline struct span span_trimmed(struct span span)
{
    while (span.length > 0 && (span.text[span.length - 1] == ' ' || span.text[span.length - 1] == '\t'))
        span.length--;
    return span;
}
/* Steps over `prefix` if the text begins with it. */
static inline bool span_skip(struct span *span, const char *prefix)
{
    size_t length = strlen(prefix);
    if (span->length < length || memcmp(span->text, prefix, length) != 0)
        return false;
    span_step(span, length);
    return true;
}
/* Steps over a line and its end, LF or CR LF; *line has neither. Returns false if nothing is left. */
bool span_line(struct span *span, struct span *line);
/* Steps over a decimal number. Returns false and leaves *number alone if there is no number or it is too large. */
bool span_number(struct span *span, unsigned *number);
bool span_ends_with(struct span span, const char *end);
/* The value after " key=" up to the next blank; length 0 if the line lacks the key. */
struct span span_value(struct span line, const char *key);
/*
 * Steps over a text between quotes, copies as much of it as fits into `text` of `size` bytes, and returns the copy's
 * length. A quote or backslash within the text has a backslash before it.
 */
size_t span_quoted(struct span *span, char *text, size_t size);
/* Copies as much as fits into `text` of `size` bytes, and ends it with NUL. */
void span_copy(char *text, size_t size, struct span span);
