/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The lines of a block, from one sync line to the next, in a capture that has more than the image's text: prefixes
 * whose length and letters change, others' lines in between, lines that were wrapped at a screen's width. There are
 * several ways to read them, and the block's sum says which one is right.
 */
#include "tools/pmucheck/log/line.h"
#include "tools/pmucheck/log/parse.h"
#include <string.h>

/* Lines without a prefix; all lines whole; lines with and without a prefix; all lines from the judge's column on. */
enum take { TAKE_PLAIN, TAKE_ALL, TAKE_CUT, TAKE_COLUMN, TAKES };
/* A line that is not the image's goes on with the one before: if that is as long as the longest; in any case, after
 * blanks up to the longest; without anything in between; with a blank in between. */
enum join { JOIN_NONE, JOIN_FULL, JOIN_PADDED, JOIN_CLOSE, JOIN_BLANK, JOINS };

struct reading {
    enum take take;
    enum join join;
    bool blanks; /* those at the end of a line count */
    unsigned width;
};

static bool is_empty(struct span text)
{
    while (span_skip(&text, " "))
        ;
    return text.length == 0;
}

/* A line without the blanks at its end, unless they count. */
static struct span whole_line(const struct reading *reading, const struct waiting *w)
{
    return reading->blanks ? w->line : span_trimmed(w->line);
}

/* The image's text in a waiting line, with its indentation. False: the line is not the image's. */
static bool text_of(const struct log_reader *r, const struct reading *reading, const struct waiting *w,
                    struct span *text)
{
    const struct spot *spot = &w->spot;
    unsigned gap = r->gap[spot->prefix > 0];
    if (reading->take == TAKE_ALL || reading->take == TAKE_COLUMN) {
        size_t from = reading->take == TAKE_COLUMN ? r->column : 0;
        *text = whole_line(reading, w);
        if (from > text->length)
            return false;
        span_step(text, from);
        return reading->take == TAKE_ALL || line_read(*text).kind != LINE_OTHER;
    }
    bool mine = spot->found && (spot->prefix == 0 || (reading->take == TAKE_CUT && spot->strict));
    if (!mine || spot->blanks < gap || (spot->blanks - gap) % 2)
        return false;
    const char *from = w->line.text + spot->prefix + gap;
    const char *end = reading->blanks ? w->line.text + w->line.length : spot->text.text + spot->text.length;
    *text = (struct span){from, (size_t)(end - from)};
    return true;
}

/* ---- Lines that were wrapped */

static bool goes_on(const struct reading *reading, const struct waiting *w)
{
    return reading->join && !w[1].spot.found && !is_empty(w[1].line) &&
           (reading->join != JOIN_FULL || w->line.length >= reading->width);
}

/* What a line adds to the one before: text without the prefix of a reading by columns, and without an indentation if a
 * blank stands for the break. */
static struct span continuation(const struct log_reader *r, const struct reading *reading, const struct waiting *w)
{
    struct span text = w->line;
    if (reading->take == TAKE_COLUMN && text.length > r->column)
        span_step(&text, r->column);
    while (reading->join == JOIN_BLANK && span_skip(&text, " "))
        ;
    return text;
}

/* Adds the lines that go on with this one. Returns the last one's index. */
static unsigned join(struct log_reader *r, const struct reading *reading, unsigned i, struct span *text)
{
    const struct waiting *w = r->waits.item;
    unsigned last = i;
    size_t room = text->length;
    for (; last + 1 < r->waits.count && goes_on(reading, &w[last]); last++)
        room += reading->width + w[last + 1].line.length + 1;
    if (last == i)
        return i;
    char *whole = arena_alloc(&r->file->arena, room + w[i].line.length), *at = whole;
    for (unsigned k = i; k <= last; k++) {
        struct span part = {text->text, (size_t)(w[i].line.text + w[i].line.length - text->text)};
        if (k > i)
            part = continuation(r, reading, &w[k]);
        memcpy(at, part.text, part.length);
        at += part.length;
        bool pad = reading->join == JOIN_PADDED && w[k].line.length < reading->width;
        size_t blanks = k == last ? 0 : pad ? reading->width - w[k].line.length : reading->join == JOIN_BLANK;
        memset(at, ' ', blanks);
        at += blanks;
    }
    while (at > whole && at[-1] == ' ')
        at--;
    *text = (struct span){whole, (size_t)(at - whole)};
    return last;
}

/* The next text of the image from waiting line *i on, which is moved behind it. *number: its line. */
static bool next_text(struct log_reader *r, const struct reading *reading, unsigned *i, struct span *text,
                      unsigned *number)
{
    while (*i < r->waits.count && !text_of(r, reading, &r->waits.item[*i], text))
        ++*i;
    if (*i >= r->waits.count)
        return false;
    *number = r->waits.item[*i].number;
    *i = join(r, reading, *i, text) + 1;
    return true;
}

/* ---- Finding the reading */

static struct log_sum sum_of(struct log_reader *r, const struct reading *reading, unsigned first, struct log_sum sum)
{
    struct span text;
    unsigned number;
    while (next_text(r, reading, &first, &text, &number))
        sum = log_sum_line(sum, text);
    return sum;
}

static unsigned longest(const struct log_reader *r)
{
    size_t most = 0;
    for_each_item (r->waits, w)
        most = w->line.length > most ? w->line.length : most;
    return (unsigned)most;
}

/* Do most lines that may be the image's have a prefix? */
static bool mostly_prefixed(const struct log_reader *r)
{
    unsigned prefixed = 0, plain = 0;
    for_each_item (r->waits, w) {
        const struct spot *spot = &w->spot;
        prefixed += spot->found && spot->prefix;
        plain += spot->found && !spot->prefix;
    }
    return prefixed > plain;
}

/* Is it the right reading? *sum: the sum of the block, read so. */
static bool proves(struct log_reader *r, const struct reading *reading, enum mark mark, struct span judge,
                   struct log_sum *sum)
{
    unsigned long want;
    *sum = sum_of(r, reading, 0, r->block);
    if (mark == MARK_NONE)
        return true; /* nothing can */
    return log_sum_holds(judge, mark == MARK_END ? log_sum_joined(&r->whole, sum).crc : sum->crc, &want);
}

/* Finds the reading that the sum proves. Returns false if there is none; then it is the likeliest. */
static bool find_reading(struct log_reader *r, enum mark mark, struct span judge, struct reading *reading,
                         struct log_sum *sum)
{
    bool cut = mark == MARK_NONE ? r->prefixed : mostly_prefixed(r);
    const struct reading likely = {.take = cut ? TAKE_CUT : TAKE_PLAIN};
    *reading = likely;
    if (proves(r, reading, mark, judge, sum))
        return true;
    const struct log_sum sum_of_likely = *sum;
    reading->width = longest(r);
    for (reading->join = JOIN_NONE; reading->join < JOINS; reading->join++)
        for (reading->take = TAKE_PLAIN; reading->take < TAKES; reading->take++)
            for (unsigned blanks = 0; blanks < 2; blanks++) {
                reading->blanks = blanks;
                if ((reading->take != TAKE_ALL || reading->join == JOIN_NONE) && proves(r, reading, mark, judge, sum))
                    return true;
            }
    *reading = likely;
    *sum = sum_of_likely;
    return false;
}

bool log_block_holds(struct log_reader *r, enum mark mark, struct span judge)
{
    struct log_sum sum;
    struct reading reading;
    return find_reading(r, mark, judge, &reading, &sum);
}

void log_block_take(struct log_reader *r, enum mark mark, struct span judge,
                    bool (*take)(struct log_reader *, struct span))
{
    struct log_sum sum;
    struct reading reading;
    find_reading(r, mark, judge, &reading, &sum);
    unsigned line = r->line;
    struct span text;
    for (unsigned i = 0; i < r->waits.count;) {
        unsigned before = i;
        bool found = next_text(r, &reading, &i, &text, &r->line);
        r->boot->noise += i - before - found; /* and the lines that went on are none */
        if (found && !take(r, text))
            r->boot->noise++;
    }
    r->block = sum;
    r->line = line;
    r->waits.count = 0;
}

bool log_block_find(struct log_reader *r, struct span judge, unsigned *first, bool *opened)
{
    static const struct log_sum nothing;
    const struct log_sum begun = log_sum_line(nothing, (struct span){LINE_START, strlen(LINE_START)});
    struct reading reading = {.take = TAKE_PLAIN};
    unsigned long want;
    for (unsigned way = 0; way < 4; way++) {
        *opened = way < 2;
        reading.take = way % 2 ? TAKE_PLAIN : TAKE_CUT;
        for (*first = 0; *first < r->waits.count; ++*first)
            if (log_sum_holds(judge, sum_of(r, &reading, *first, *opened ? begun : nothing).crc, &want))
                return true;
    }
    return false;
}
