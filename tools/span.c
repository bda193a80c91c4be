/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/span.h"
#include <limits.h>
#include <string.h>

bool span_line(struct span *span, struct span *line)
{
    if (span->length == 0)
        return false;
    const char *newline = memchr(span->text, '\n', span->length);
    size_t length = newline ? (size_t)(newline - span->text) : span->length;
    size_t taken = length + (newline != NULL);
    *line = (struct span){span->text, length};
    while (line->length > 0 && line->text[line->length - 1] == '\r')
        line->length--;
    span_step(span, taken);
    return true;
}

bool span_number(struct span *span, unsigned *number)
{
    unsigned long value = 0;
    size_t digits = 0;
    for (; digits < span->length && span->text[digits] >= '0' && span->text[digits] <= '9'; digits++) {
        value = value * 10 + (unsigned long)(span->text[digits] - '0');
        if (value > UINT_MAX)
            return false;
    }
    if (digits == 0)
        return false;
    span_step(span, digits);
    *number = (unsigned)value;
    return true;
}

bool span_ends_with(struct span span, const char *end)
{
    size_t length = strlen(end);
    return span.length >= length && memcmp(span.text + span.length - length, end, length) == 0;
}

struct span span_value(struct span line, const char *key)
{
    size_t length = strlen(key);
    const char *end = line.text + line.length, *at = line.length ? line.text : end;
    while (at < end && (at = memchr(at, ' ', (size_t)(end - at)))) {
        at++;
        if ((size_t)(end - at) <= length || at[length] != '=' || memcmp(at, key, length) != 0)
            continue;
        at += length + 1;
        const char *blank = memchr(at, ' ', (size_t)(end - at));
        return (struct span){at, (size_t)((blank ? blank : end) - at)};
    }
    return (struct span){end, 0};
}

size_t span_quoted(struct span *span, char *text, size_t size)
{
    size_t length = 0;
    span_skip(span, "\"");
    while (span->length > 0 && !span_skip(span, "\"")) {
        if (span->text[0] == '\\' && span->length > 1)
            span_skip(span, "\\");
        if (length + 1 < size)
            text[length++] = span->text[0];
        span->text++;
        span->length--;
    }
    text[length] = 0;
    return length;
}

void span_copy(char *text, size_t size, struct span span)
{
    size_t length = span.length < size ? span.length : size - 1;
    memcpy(text, span.text, length);
    text[length] = 0;
}
