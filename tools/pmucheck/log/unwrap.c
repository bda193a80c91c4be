/* SPDX-License-Identifier: BSD-2-Clause */
/* Takes the lines of a log out of the text of other programs. */
#define _GNU_SOURCE /* memmem() */
#include "tools/pmucheck/log/parse.h"
#include <stdlib.h>

struct text {
    char *at; /* room for what is left of the input, always: each decoder makes a text shorter or leaves its length */
};

static void put(struct text *out, char c)
{
    *out->at++ = c;
}

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef", *upper = "0123456789ABCDEF";
    const char *at = c ? strchr(digits, c) : NULL, *up = c ? strchr(upper, c) : NULL;
    return at ? (int)(at - digits) : up ? (int)(up - upper) : -1;
}

/* ---- JSON, one object or one on each line, and tables: each string that is a value becomes a line. */

/* An escaped letter; what is not of 7 bits becomes a question mark. */
static void put_escaped(struct text *out, struct span *in)
{
    static const char from[] = "nrtbf", to[] = "\n\r\t??";
    char c = in->text[0];
    const char *known = c ? strchr(from, c) : NULL;
    unsigned value = 0;
    span_step(in, 1);
    if (c != 'u') {
        put(out, known ? to[known - from] : c);
        return;
    }
    for (unsigned i = 0; i < 4 && in->length && hex_digit(in->text[0]) >= 0; i++, span_step(in, 1))
        value = value * 16 + (unsigned)hex_digit(in->text[0]);
    put(out, value == 0x1b || (value >= ' ' && value < 0x7f) ? (char)value : '?');
}

/* The text of the string that begins here. A name before a colon is taken back. */
static void take_string(struct text *out, struct span *in)
{
    char *begin = out->at;
    span_step(in, 1);
    while (in->length && in->text[0] != '\n') {
        if (span_skip(in, "\"\"")) { /* in a table */
            put(out, '"');
        } else if (in->text[0] == '"') {
            break;
        } else if (span_skip(in, "\\") && in->length) {
            put_escaped(out, in);
        } else if (in->length) {
            put(out, in->text[0]);
            span_step(in, 1);
        }
    }
    if (in->length)
        span_step(in, 1);
    struct span after = *in;
    while (span_skip(&after, " "))
        ;
    if (span_skip(&after, ":"))
        out->at = begin;
    else
        put(out, '\n');
}

/* An array of bytes, which the journal makes of text with control characters. */
static bool take_bytes(struct text *out, struct span *in)
{
    struct span rest = *in;
    char *begin = out->at;
    unsigned byte;
    span_step(&rest, 1);
    while (span_number(&rest, &byte) && byte < 0x100) {
        put(out, (char)byte);
        span_skip(&rest, ",");
        span_skip(&rest, " ");
    }
    if (out->at == begin || !span_skip(&rest, "]")) {
        out->at = begin;
        return false;
    }
    put(out, '\n');
    *in = rest;
    return true;
}

/* A line without a string, which in a table may be the image's as it is. False: it has one. */
static bool take_plain(struct text *out, struct span *in)
{
    const char *end = memchr(in->text, '\n', in->length);
    size_t length = end ? (size_t)(end - in->text) + 1 : in->length;
    if (memchr(in->text, '"', length))
        return false;
    memcpy(out->at, in->text, length);
    out->at += length;
    span_step(in, length);
    return true;
}

static void from_json(struct text *out, struct span in)
{
    for (bool begins = true; in.length;) {
        if (begins && take_plain(out, &in))
            continue;
        begins = in.text[0] == '\n';
        if (in.text[0] == '"')
            take_string(out, &in);
        else if (in.text[0] != '[' || !take_bytes(out, &in))
            span_step(&in, 1);
    }
}

/* ---- Recordings of asciinema: of [TIME, "o", "text"] in each line, the texts make one. */

static void from_recording(struct text *out, struct span in)
{
    while (in.length) {
        const char *begin = out->at;
        if (in.text[0] != '"') {
            span_step(&in, 1);
            continue;
        }
        take_string(out, &in);
        if (out->at == begin) /* a name */
            continue;
        out->at--;
        if (out->at == begin + 1 && *begin == 'o')
            out->at--;
    }
}

/* ---- Quoted-printable, RFC 2045 */

static bool soft_break(struct span *in)
{
    struct span rest = *in;
    span_step(&rest, 1);
    while (span_skip(&rest, " ") || span_skip(&rest, "\r"))
        ;
    if (!span_skip(&rest, "\n"))
        return false;
    *in = rest;
    return true;
}

static void from_quoted(struct text *out, struct span in)
{
    while (in.length) {
        if (in.text[0] == '=' && soft_break(&in))
            continue;
        bool coded = in.text[0] == '=' && in.length > 2 && hex_digit(in.text[1]) >= 0 && hex_digit(in.text[2]) >= 0;
        put(out, coded ? (char)(hex_digit(in.text[1]) * 16 + hex_digit(in.text[2])) : in.text[0]);
        span_step(&in, coded ? 3 : 1);
    }
}

/* ---- HTML: tags are left out, some of them end a line. */

/* "&#NN;" or "&#xHH;": its number; 0 if it is none. */
static unsigned numeric(struct span *in)
{
    struct span rest = *in;
    unsigned value = 0;
    if (!span_skip(&rest, "&#"))
        return 0;
    unsigned base = span_skip(&rest, "x") || span_skip(&rest, "X") ? 16 : 10;
    for (; rest.length && hex_digit(rest.text[0]) >= 0 && value < 0x10000; span_step(&rest, 1))
        value = value * base + (unsigned)hex_digit(rest.text[0]);
    if (!span_skip(&rest, ";"))
        return 0;
    *in = rest;
    return value;
}

static void take_entity(struct text *out, struct span *in)
{
    static const struct {
        const char *name;
        char letter;
    } entities[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}, {"&nbsp;", ' '}};
    for (size_t i = 0; i < sizeof(entities) / sizeof(entities[0]); i++)
        if (span_skip(in, entities[i].name)) {
            put(out, entities[i].letter);
            return;
        }
    unsigned number = numeric(in);
    if (number) {
        put(out, number == 0xa0 ? ' ' : number < 0x7f ? (char)number : '?');
        return;
    }
    put(out, '&');
    span_step(in, 1);
}

static void take_tag(struct text *out, struct span *in)
{
    static const char *const ends[] = {"<br", "</p", "</div", "</li", "</tr", "</pre", "<pre"};
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        struct span rest = *in;
        if (span_skip(&rest, ends[i])) {
            put(out, '\n');
            break;
        }
    }
    const char *end = memchr(in->text, '>', in->length);
    span_step(in, end ? (size_t)(end - in->text) + 1 : in->length);
}

static void from_html(struct text *out, struct span in)
{
    while (in.length) {
        if (in.text[0] == '<') {
            take_tag(out, &in);
        } else if (in.text[0] == '&') {
            take_entity(out, &in);
        } else {
            put(out, in.text[0]);
            span_step(&in, 1);
        }
    }
}

/* ---- A frame: all lines end with the same text, behind blanks; sync lines show which. */

static struct span trimmed(struct span line)
{
    while (line.length && strchr(" \t\r", line.text[line.length - 1]))
        line.length--;
    return line;
}

/* What stands behind the sum of the first sync line; length 0: nothing. */
static struct span frame_of(struct span text)
{
    for (struct span line; span_line(&text, &line);) {
        struct span sum = span_value(line, "crc32");
        const char *sync = line.length ? memmem(line.text, line.length, "# sync seq=", 11) : NULL;
        if (!sync || sum.length < 8)
            continue;
        struct span rest = trimmed((struct span){sum.text + 8, (size_t)(line.text + line.length - sum.text - 8)});
        while (span_skip(&rest, " "))
            ;
        return rest;
    }
    return (struct span){"", 0};
}

static void from_frame(struct text *out, struct span in)
{
    const struct span frame = frame_of(in);
    for (struct span line; span_line(&in, &line);) {
        line = trimmed(line);
        if (line.length >= frame.length &&
            memcmp(line.text + line.length - frame.length, frame.text, frame.length) == 0)
            line = trimmed((struct span){line.text, line.length - frame.length});
        for (size_t i = 0; i < line.length; i++)
            put(out, line.text[i]);
        put(out, '\n');
    }
}

/* ---- Lines that came over two ports, or were also echoed: each stands there again. */

static bool same(struct span a, struct span b)
{
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static bool is_repeated(struct span text)
{
    unsigned again = 0, other = 0;
    for (struct span line, last = {"", 0}; span_line(&text, &line); last = line)
        *(same(line, last) ? &again : &other) += line.length > 0;
    return again >= other && again > 0;
}

static void from_repeated(struct text *out, struct span in)
{
    for (struct span line, last = {"", 0}; span_line(&in, &line); last = line)
        if (!same(line, last)) {
            memcpy(out->at, line.text, line.length);
            out->at += line.length;
            put(out, '\n');
        }
}

/* ---- Which of them it may be */

static bool has(struct span text, const char *words)
{
    const char *end = text.text + text.length - (text.length ? strlen(words) : 0);
    for (const char *at = text.text; text.length >= strlen(words) && at <= end; at++) {
        at = memchr(at, words[0], (size_t)(end - at) + 1);
        if (!at)
            return false;
        if (memcmp(at, words, strlen(words)) == 0)
            return true;
    }
    return false;
}

static const struct {
    const char *sign; /* what the image's own lines never have; NULL: a look at the lines shows it */
    void (*take)(struct text *out, struct span in);
} forms[] = {{", \"o\", \"", from_recording},
             {"[\"", from_json},
             {",\"", from_json},
             {", \"", from_json},
             {"=\"# ", from_json},
             {"\": \"", from_json},
             {"\":\"", from_json},
             {"=3D", from_quoted},
             {"<pre", from_html},
             {"&quot;", from_html},
             {"<br", from_html},
             {"<html", from_html},
             {NULL, from_frame},
             {NULL, from_repeated}};

static bool may_be(struct span text, size_t row)
{
    if (forms[row].sign)
        return has(text, forms[row].sign);
    return forms[row].take == from_frame ? frame_of(text).length > 0 : is_repeated(text);
}

/* Has an earlier row named the same form already? */
static bool was_before(struct span text, size_t row)
{
    bool found = false;
    for (size_t i = 0; i < row; i++)
        found |= forms[i].take == forms[row].take && may_be(text, i);
    return found;
}

bool capture_unwrap(struct capture *unwrapped, struct span text, unsigned n)
{
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        if (was_before(text, i) || !may_be(text, i) || n-- > 0)
            continue;
        struct text out = {malloc(2 * text.length + 1)};
        char *begin = out.at;
        if (!begin)
            abort();
        forms[i].take(&out, text);
        capture_open(unwrapped, begin, (size_t)(out.at - begin));
        if (!unwrapped->owned)
            unwrapped->owned = begin;
        else if (unwrapped->owned != begin)
            free(begin);
        return true;
    }
    return false;
}
