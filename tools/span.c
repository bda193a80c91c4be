#include "tools/span.h"
#include <limits.h>
#include <stdio.h>
#include <string.h>

bool span_skip(struct span *span, const char *prefix)
{
    size_t length = strlen(prefix);
    if (span->length < length || memcmp(span->text, prefix, length) != 0)
        return false;
    span->text += length;
    span->length -= length;
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
    span->text += digits;
    span->length -= digits;
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
    char wanted[24];
    snprintf(wanted, sizeof(wanted), " %s=", key);
    for (; line.length > 0; line.text++, line.length--) {
        struct span value = line;
        if (span_skip(&value, wanted)) {
            const char *blank = memchr(value.text, ' ', value.length);
            if (blank)
                value.length = (size_t)(blank - value.text);
            return value;
        }
    }
    return line;
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
