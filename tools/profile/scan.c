/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Takes a profile's lines apart, and the words of their values: numbers, names and separators; and stores error
 * messages.
 */
#include "tools/profile/form.h"
#include <stdarg.h>
#include <string.h>

bool profile_wrong(struct profile_reader *r, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->error->text, sizeof(r->error->text), format, arguments);
    va_end(arguments);
    return false;
}

bool profile_is(struct span word, const char *text)
{
    return word.length == strlen(text) && memcmp(word.text, text, word.length) == 0;
}

bool profile_hex(struct span *span, uint64_t *value)
{
    size_t digits = 0;
    for (*value = 0; digits < span->length; digits++) {
        char c = span->text[digits];
        unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                         : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                                                : 16;
        if (digit == 16)
            break;
        *value = *value << 4 | digit;
    }
    if (digits == 0 || digits > 16)
        return false;
    span->text += digits;
    span->length -= digits;
    return true;
}

struct span profile_word(struct profile_reader *r)
{
    const char *text = r->rest.text;
    size_t left = r->rest.length, length = 0;
    while (left && (*text == ' ' || *text == '\t'))
        text++, left--;
    while (length < left && !strchr(" \t,;", text[length]))
        length++;
    if (length == 0 && left)
        length = 1;
    r->rest = (struct span){text + length, left - length};
    return (struct span){text, length};
}

/* Returns the next word without taking it. */
struct span profile_peek(struct profile_reader *r)
{
    struct span rest = r->rest, word = profile_word(r);
    r->rest = rest;
    return word;
}

bool profile_take(struct profile_reader *r, const char *text)
{
    if (!profile_is(profile_peek(r), text))
        return false;
    profile_word(r);
    return true;
}

bool profile_not_allowed(struct profile_reader *r, struct span word)
{
    if (!word.length)
        return profile_wrong(r, "%s ends too early; allowed: %s", r->key->name, r->key->form->looks);
    return profile_wrong(r, "\"%.*s\" is wrong here; allowed: %s", SHOWN(word), r->key->form->looks);
}

bool profile_expect(struct profile_reader *r, const char *text)
{
    return profile_take(r, text) || profile_not_allowed(r, profile_peek(r));
}

bool profile_number(struct profile_reader *r, unsigned low, unsigned high, unsigned *value)
{
    struct span word = profile_word(r), digits = word;
    if (!span_number(&digits, value) || digits.length)
        return profile_not_allowed(r, word);
    if (*value < low || *value > high)
        return profile_wrong(r, "%u is out of range: %u to %u", *value, low, high);
    return true;
}

bool profile_read_hex(struct profile_reader *r, uint64_t *value)
{
    struct span word = profile_word(r), digits = word;
    span_skip(&digits, "0x");
    return (profile_hex(&digits, value) && !digits.length) || profile_not_allowed(r, word);
}

bool profile_read_leaf(struct profile_reader *r, uint32_t value[4])
{
    struct span word = profile_word(r), rest = word;
    for (unsigned i = 0; i < 4; i++) {
        uint64_t part;
        if ((i && !span_skip(&rest, "-")) || !profile_hex(&rest, &part) || part >> 32)
            return profile_wrong(r, "\"%.*s\" is not EAX-EBX-ECX-EDX, four hexadecimal words", SHOWN(word));
        value[i] = (uint32_t)part;
    }
    return !rest.length || profile_wrong(r, "\"%.*s\" is not EAX-EBX-ECX-EDX, four hexadecimal words", SHOWN(word));
}

/* ---- The pieces of a line ---- */

struct span profile_trimmed(const char *text, size_t length)
{
    while (length && (*text == ' ' || *text == '\t'))
        text++, length--;
    while (length && (text[length - 1] == ' ' || text[length - 1] == '\t' || text[length - 1] == '\r'))
        length--;
    return (struct span){text, length};
}

struct span profile_first_word(struct span line)
{
    size_t length = 0;
    while (length < line.length && line.text[length] != ' ' && line.text[length] != '\t')
        length++;
    return (struct span){line.text, length};
}

struct span profile_split_source(struct span line, struct span *source)
{
    for (size_t i = 0; i < line.length; i++)
        if (line.text[i] == '#' && (i == 0 || line.text[i - 1] == ' ' || line.text[i - 1] == '\t')) {
            *source = profile_trimmed(line.text + i + 1, line.length - i - 1);
            return profile_trimmed(line.text, i);
        }
    *source = (struct span){line.text + line.length, 0};
    return line;
}

bool profile_plain(struct span line)
{
    for (size_t i = 0; i < line.length; i++)
        if ((line.text[i] < ' ' && line.text[i] != '\t') || line.text[i] > '~')
            return false;
    return true;
}

size_t profile_key_length(struct span line, const char *name)
{
    size_t i = 0;
    for (; *name; name++) {
        if (i == line.length || (*name == ' ' ? line.text[i] != ' ' && line.text[i] != '\t' : line.text[i] != *name))
            return 0;
        i++;
        while (*name == ' ' && i < line.length && (line.text[i] == ' ' || line.text[i] == '\t'))
            i++;
    }
    return i == line.length || line.text[i] == ' ' || line.text[i] == '\t' ? i : 0;
}
