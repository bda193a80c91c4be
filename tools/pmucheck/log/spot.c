/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/log/spot.h"
#include "tools/pmucheck/log/line.h"

static bool small(char c)
{
    return c >= 'a' && c <= 'z';
}

static bool digit(char c)
{
    return c >= '0' && c <= '9';
}

/* ---- The forms */

/* "# word", and a blank or the end behind it. */
static bool is_comment(struct span text)
{
    size_t length = 0;
    if (!span_skip(&text, "# "))
        return false;
    if (span_skip(&text, "Subtest: "))
        return true;
    while (length < text.length && (small(text.text[length]) || text.text[length] == '-' || digit(text.text[length])))
        length++;
    return length > 0 && small(text.text[0]) && (length == text.length || text.text[length] == ' ');
}

static bool is_plan(struct span text)
{
    unsigned number;
    return span_skip(&text, "1..") && span_number(&text, &number) && text.length == 0;
}

/* The number and id of a result, after "ok ". *dot: the id has one. */
static bool is_numbered(struct span text, bool *dot)
{
    unsigned number;
    size_t length = 0;
    *dot = false;
    if (!span_number(&text, &number) || !span_skip(&text, " "))
        return false;
    for (; length < text.length && text.text[length] != ' '; length++) {
        char c = text.text[length];
        if (!small(c) && !digit(c) && !strchr("-.:_", c))
            return false;
        *dot |= c == '.';
    }
    struct span rest = span_behind(text, length);
    return length > 0 && (rest.length == 0 || span_skip(&rest, " # "));
}

bool spot_is_result(struct span text)
{
    bool dot;
    return (span_skip(&text, "ok ") || span_skip(&text, "not ok ")) && is_numbered(text, &dot) && dot;
}

static bool has_form(struct span text)
{
    struct span rest = text;
    bool dot;
    switch (text.text[0]) {
    case '#':
        return is_comment(text);
    case 'o':
        return span_skip(&rest, "ok ") && is_numbered(rest, &dot);
    case 'n':
        return span_skip(&rest, "not ok ") && is_numbered(rest, &dot);
    case '1':
        return is_plan(text);
    case 'K':
        return span_skip(&rest, LINE_START) && rest.length == 0;
    case 'B':
        return span_skip(&rest, "Bail out! ");
    default:
        return false;
    }
}

/* ---- */

static size_t blanks_before(struct span line, size_t at)
{
    size_t blanks = 0;
    while (blanks < at && line.text[at - blanks - 1] == ' ')
        blanks++;
    return blanks;
}

static struct spot spot_at(struct span line, size_t at, bool strict)
{
    size_t blanks = blanks_before(line, at);
    return (struct spot){true, strict, (unsigned)(at - blanks), (unsigned)blanks, span_behind(line, at)};
}

struct spot spot_of(struct span line)
{
    size_t first = 0;
    line = span_trimmed(line); /* blanks fill a line up to a screen's width */
    while (first < line.length && line.text[first] == ' ')
        first++;
    if (first == line.length)
        return (struct spot){0};
    if (has_form(span_behind(line, first)))
        return spot_at(line, first, true);
    if (span_ends_with(line, LINE_START))
        return spot_at(line, line.length - strlen(LINE_START), true);
    for (size_t at = first + 1; at < line.length; at++)
        if (strchr("#on1KB", line.text[at]) && has_form(span_behind(line, at)))
            return spot_at(line, at, true);
    return line_read(span_behind(line, first)).kind != LINE_OTHER ? spot_at(line, first, false) : (struct spot){0};
}

static size_t letters(struct span text)
{
    size_t length = 0;
    while (length < text.length && small(text.text[length]))
        length++;
    return length;
}

/* "verdict=WORD", and nothing or "KEY=" behind it. Scripts that wait for an END line show a part of one. */
static bool is_end(struct span text)
{
    if (!span_skip(&text, "verdict="))
        return false;
    size_t known = letters(text), word = 0;
    while (word < text.length && text.text[word] != ' ')
        word++;
    if (word == text.length)
        return known == word && word > 0;
    span_step(&text, word + 1);
    size_t key = letters(text);
    return key == text.length || text.text[key] == '=';
}

enum mark spot_mark(const struct spot *spot)
{
    struct span rest = spot->text;
    if (!spot->found)
        return MARK_NONE;
    if (span_skip(&rest, LINE_START))
        return rest.length == 0 ? MARK_OPENS : MARK_NONE;
    if (!span_skip(&rest, "# "))
        return MARK_NONE;
    if (span_skip(&rest, "pmucheck version="))
        return span_value(spot->text, "log").length ? MARK_NAMES : MARK_FIRST_WORDS;
    /* Others' lines may have these words anywhere. */
    if (span_skip(&rest, spot->prefix ? "sync seq=" : "sync "))
        return MARK_SYNC;
    return span_skip(&rest, "end ") && is_end(rest) ? MARK_END : MARK_NONE;
}
