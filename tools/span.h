/* Reading a piece of text that no NUL ends: a line of a log, and what is left of it. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct span {
    const char *text;
    size_t length;
};

/* Steps over `prefix` if the text begins with it. */
static inline bool span_skip(struct span *span, const char *prefix)
{
    size_t length = strlen(prefix);
    if (span->length < length || memcmp(span->text, prefix, length) != 0)
        return false;
    span->text += length;
    span->length -= length;
    return true;
}
/* Steps over a line and its end; *line: without that, be it LF or CR LF. False: nothing is left. */
bool span_line(struct span *span, struct span *line);
/* Steps over a decimal number; false, and *number left alone, if there is none or it is too large. */
bool span_number(struct span *span, unsigned *number);
bool span_ends_with(struct span span, const char *end);
/* What follows " key=" up to the next blank; length 0 if the key is not there. */
struct span span_value(struct span line, const char *key);
/*
 * Steps over a text between quotes and copies what fits into `text` of `size` bytes, its length is the result. A
 * backslash stands before a quote or a backslash that belongs to it.
 */
size_t span_quoted(struct span *span, char *text, size_t size);
/* Copies what fits into `text` of `size` bytes and ends it. */
void span_copy(char *text, size_t size, struct span span);
