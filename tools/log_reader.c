#include "tools/log_reader.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define START "KTAP version 1"

const char *const log_outcome_name[LOG_OUTCOMES] = {"pass", "fail", "known", "review", "skip", "error"};

/* A line without its line end. It is not terminated: what follows it in memory is the next line. */
struct span {
    const char *text;
    size_t length;
};

__attribute__((format(printf, 2, 3))) static void list_add(struct log_list *list, const char *format, ...)
{
    va_list args;
    if (list->count < LOG_LIST) {
        va_start(args, format);
        vsnprintf(list->text[list->count], LOG_TEXT, format, args);
        va_end(args);
    }
    list->count++;
}

/* Copies what fits into a text of LOG_TEXT bytes. */
static void keep(char *text, struct span span)
{
    size_t length = span.length < LOG_TEXT ? span.length : LOG_TEXT - 1;
    memcpy(text, span.text, length);
    text[length] = 0;
}

static bool skip_text(struct span *span, const char *prefix)
{
    size_t length = strlen(prefix);
    if (span->length < length || memcmp(span->text, prefix, length) != 0)
        return false;
    span->text += length;
    span->length -= length;
    return true;
}

static bool skip_number(struct span *span, unsigned *number)
{
    unsigned long value = 0;
    size_t digits = 0;
    for (; digits < span->length && span->text[digits] >= '0' && span->text[digits] <= '9'; digits++) {
        value = value * 10 + (unsigned long)(span->text[digits] - '0');
        if (value > UINT_MAX)
            return false;
    }
    span->text += digits;
    span->length -= digits;
    *number = (unsigned)value;
    return digits > 0;
}

/* Finds " key=" and returns what follows it up to the next blank; length 0 if it is not there. */
static struct span value_of(struct span line, const char *key)
{
    char wanted[24];
    struct span rest = line;
    snprintf(wanted, sizeof(wanted), " %s=", key);
    for (; rest.length > 0; rest.text++, rest.length--) {
        struct span value = rest;
        if (skip_text(&value, wanted)) {
            const char *blank = memchr(value.text, ' ', value.length);
            if (blank)
                value.length = (size_t)(blank - value.text);
            return value;
        }
    }
    return rest;
}

/* ---- CRCs */

static unsigned long crc_add(unsigned long crc, const char *text, size_t length)
{
    return crc32(crc, (const unsigned char *)text, (unsigned)length);
}

/* Is the number that ends this line, behind "crc32=", the CRC of what came before it? */
static bool crc_holds(struct span line, unsigned long before, unsigned long *want)
{
    struct span value = value_of(line, "crc32");
    char digits[9] = "";
    char *end;
    *want = crc_add(before, line.text, (size_t)(value.text - line.text));
    if (value.length != 8 || value.text + 8 != line.text + line.length)
        return false;
    memcpy(digits, value.text, 8);
    return strtoul(digits, &end, 16) == *want && *end == 0;
}

static void read_sync(struct log_reader *reader, struct span line)
{
    unsigned seq = 0;
    unsigned long want;
    struct span number = value_of(line, "seq");
    reader->syncs++;
    if (!skip_number(&number, &seq) || seq != reader->syncs)
        list_add(&reader->problems, "line %u: this should be sync line %u: lines are missing before it", reader->line,
                 reader->syncs);
    if (!crc_holds(line, reader->block_crc, &want))
        list_add(&reader->problems, "lines %u to %u are damaged: their crc32 is %08lx", reader->block_line,
                 reader->line, want);
    reader->syncs = seq;
    reader->block_line = 0; /* the next block begins behind this line */
}

/* ---- Plans and results */

static void close_level(struct log_reader *reader, unsigned depth)
{
    struct log_level *level = &reader->level[depth];
    if (!level->planned)
        list_add(&reader->problems, "line %u: level %u has no plan", reader->line, depth);
    else if (level->plan != level->results)
        list_add(&reader->problems, "line %u: level %u planned %u results and has %u", reader->line, depth, level->plan,
                 level->results);
    *level = (struct log_level){0};
}

static void close_levels_above(struct log_reader *reader, unsigned depth)
{
    for (; reader->deepest > depth; reader->deepest--)
        close_level(reader, reader->deepest);
}

static void read_plan(struct log_reader *reader, unsigned depth, struct span plan)
{
    struct log_level *level = &reader->level[depth];
    if (level->planned)
        list_add(&reader->problems, "line %u: level %u has a second plan", reader->line, depth);
    level->planned = skip_number(&plan, &level->plan);
    if (reader->deepest < depth)
        reader->deepest = depth;
}

/* The outcome by "ok" or "not ok" and the directive behind " # ". */
static enum log_outcome outcome_of(bool ok, struct span rest)
{
    static const struct {
        const char *directive;
        bool ok;
        enum log_outcome outcome;
    } directives[] = {
        {" # SKIP", true, LOG_SKIP},
        {" # XFAIL", true, LOG_KNOWN},
        {" # REVIEW", false, LOG_REVIEW},
        {" # ERROR", false, LOG_ERROR},
    };
    for (; rest.length > 0; rest.text++, rest.length--)
        for (size_t i = 0; i < sizeof(directives) / sizeof(directives[0]); i++) {
            struct span directive = rest;
            if (directives[i].ok == ok && skip_text(&directive, directives[i].directive))
                return directives[i].outcome;
        }
    return ok ? LOG_PASS : LOG_FAIL;
}

static void read_result(struct log_reader *reader, unsigned depth, bool ok, struct span line, struct span rest)
{
    struct log_level *level = &reader->level[depth];
    enum log_outcome outcome = outcome_of(ok, rest);
    unsigned number = 0;
    if (reader->deepest <= depth)
        reader->leaves[outcome]++;
    close_levels_above(reader, depth);
    reader->deepest = depth;
    level->results++;
    if (!skip_number(&rest, &number) || number != level->results)
        list_add(&reader->problems, "line %u: this should be result %u of its level", reader->line, level->results);
    if (depth == 0)
        reader->top[outcome]++;
    if (depth == 0 && !ok)
        list_add(&reader->bad, "%.*s", (int)(line.length < LOG_TEXT ? line.length : LOG_TEXT), line.text);
}

/* ---- The END line */

static void read_end(struct log_reader *reader, struct span line)
{
    unsigned long want;
    struct span verdict = value_of(line, "verdict");
    if (!crc_holds(line, reader->crc, &want))
        list_add(&reader->problems, "line %u: the END line does not fit the lines before it: their crc32 is %08lx",
                 reader->line, want);
    snprintf(reader->verdict, sizeof(reader->verdict), "%.*s", (int)(verdict.length < 15 ? verdict.length : 15),
             verdict.text);
    for (unsigned i = 0; i < LOG_OUTCOMES; i++) {
        struct span total = value_of(line, log_outcome_name[i]);
        skip_number(&total, &reader->end_total[i]);
    }
    close_levels_above(reader, 0);
    if (reader->level[0].planned || reader->level[0].results > 0)
        close_level(reader, 0);
    reader->ended = true;
}

/* ---- Lines */

static void start(struct log_reader *reader)
{
    struct log_list problems = reader->problems;
    unsigned line = reader->line;
    if (reader->started && !reader->ended)
        list_add(&problems, "line %u: the image started again without an END line: it reset or crashed", line);
    memset(reader, 0, sizeof(*reader));
    reader->problems = problems;
    reader->line = line;
    reader->block_line = line;
    reader->started = true;
}

static void read_ktap(struct log_reader *reader, struct span line)
{
    struct span rest = line;
    unsigned depth = 0;
    while (depth < LOG_LEVELS - 1 && skip_text(&rest, "  "))
        depth++;
    if (skip_text(&rest, "1.."))
        read_plan(reader, depth, rest);
    else if (skip_text(&rest, "ok "))
        read_result(reader, depth, true, line, rest);
    else if (skip_text(&rest, "not ok "))
        read_result(reader, depth, false, line, rest);
    else if (depth == 0 && skip_text(&rest, "# pmucheck "))
        keep(reader->version, rest);
    else if (depth == 0 && skip_text(&rest, "# sync "))
        read_sync(reader, line);
    else if (depth == 0 && skip_text(&rest, "# end "))
        read_end(reader, line);
}

static bool ends_with(struct span line, const char *end)
{
    size_t length = strlen(end);
    return line.length >= length && memcmp(line.text + line.length - length, end, length) == 0;
}

static void read_line(struct log_reader *reader, struct span line)
{
    struct span rest = line;
    reader->line++;
    /* A loader's last words may stand before the first line, on the same line. A subtest starts indented. */
    bool subtest = reader->started && !reader->ended && skip_text(&rest, "  ");
    if (!subtest && ends_with(line, START)) {
        start(reader);
        line = (struct span){line.text + line.length - strlen(START), strlen(START)};
    }
    if (!reader->started && skip_text(&rest, "# error "))
        keep(reader->early_error, rest);
    if (!reader->started || reader->ended)
        return;
    read_ktap(reader, line);
    reader->crc = crc_add(crc_add(reader->crc, line.text, line.length), "\n", 1);
    reader->block_crc = crc_add(crc_add(reader->block_crc, line.text, line.length), "\n", 1);
    if (reader->block_line == 0) {
        reader->block_crc = 0;
        reader->block_line = reader->line + 1;
    }
}

/* Does the END line fit these results? Skips and errors may be more: not every one has a result line of its own. */
static bool fits(const struct log_reader *reader, const unsigned results[LOG_OUTCOMES])
{
    bool fail = strcmp(reader->verdict, "fail") == 0, error = strcmp(reader->verdict, "error") == 0;
    bool review = strcmp(reader->verdict, "review") == 0;
    for (unsigned i = 0; i < LOG_OUTCOMES; i++)
        if (i != LOG_SKIP && i != LOG_ERROR && reader->end_total[i] != results[i])
            return false;
    if (strcmp(reader->verdict, "pass") == 0 && results[LOG_PASS] == 0)
        return false;
    return (results[LOG_FAIL] == 0 || fail) && (results[LOG_ERROR] == 0 || fail || error) &&
           (results[LOG_REVIEW] == 0 || fail || error || review);
}

/*
 * Several runs in one log are counted by their tests, a proof by its runs. A verdict better than what it counts would
 * mislead whoever trusts it.
 */
static void check_totals(struct log_reader *reader)
{
    if (!fits(reader, reader->top) && !fits(reader, reader->leaves))
        list_add(&reader->problems, "the END line's verdict %s and its totals do not fit the results", reader->verdict);
}

void log_read(struct log_reader *reader, const char *text, size_t size)
{
    memset(reader, 0, sizeof(*reader));
    for (size_t at = 0; at < size;) {
        const char *newline = memchr(text + at, '\n', size - at);
        size_t length = newline ? (size_t)(newline - text) - at : size - at;
        struct span line = {text + at, length};
        while (line.length > 0 && line.text[line.length - 1] == '\r')
            line.length--;
        read_line(reader, line);
        at += length + 1;
    }
    if (!reader->started && reader->early_error[0])
        list_add(&reader->problems, "the image stopped before its tests: %.100s", reader->early_error);
    else if (!reader->started)
        list_add(&reader->problems,
                 "there is no line \"" START "\": the image did not start, or its log went elsewhere");
    else if (!reader->ended)
        list_add(&reader->problems, "there is no END line: the image hung or crashed, or the log was cut");
    else
        check_totals(reader);
}

enum log_status log_status(const struct log_reader *reader)
{
    static const struct {
        const char *verdict;
        enum log_status status;
    } verdicts[] = {
        {"pass", STATUS_PASS},
        {"fail", STATUS_FAIL},
        {"review", STATUS_REVIEW},
        {"untested", STATUS_UNTESTED},
    };
    if (reader->problems.count > 0)
        return STATUS_ERROR;
    for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++)
        if (strcmp(reader->verdict, verdicts[i].verdict) == 0)
            return verdicts[i].status;
    return STATUS_ERROR;
}
