#include "tools/log_reader.h"
#include "tools/span.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define START "KTAP version 1"

const char *const log_outcome_name[LOG_OUTCOMES] = {"pass", "fail", "known", "review", "skip", "error"};

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

/* ---- CRCs */

static unsigned long crc_add(unsigned long crc, const char *text, size_t length)
{
    return crc32(crc, (const unsigned char *)text, (unsigned)length);
}

/* Is the number that ends this line, behind "crc32=", the CRC of what came before it? */
static bool crc_holds(struct span line, unsigned long before, unsigned long *want)
{
    struct span value = span_value(line, "crc32");
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
    struct span number = span_value(line, "seq");
    reader->syncs++;
    if (!span_number(&number, &seq) || seq != reader->syncs)
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
    level->planned = span_number(&plan, &level->plan);
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
            if (directives[i].ok == ok && span_skip(&directive, directives[i].directive))
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
    if (!span_number(&rest, &number) || number != level->results)
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
    struct span verdict = span_value(line, "verdict");
    if (!crc_holds(line, reader->crc, &want))
        list_add(&reader->problems, "line %u: the END line does not fit the lines before it: their crc32 is %08lx",
                 reader->line, want);
    span_copy(reader->verdict, sizeof(reader->verdict), verdict);
    for (unsigned i = 0; i < LOG_OUTCOMES; i++) {
        struct span total = span_value(line, log_outcome_name[i]);
        span_number(&total, &reader->end_total[i]);
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
    while (depth < LOG_LEVELS - 1 && span_skip(&rest, "  "))
        depth++;
    if (span_skip(&rest, "1.."))
        read_plan(reader, depth, rest);
    else if (span_skip(&rest, "ok "))
        read_result(reader, depth, true, line, rest);
    else if (span_skip(&rest, "not ok "))
        read_result(reader, depth, false, line, rest);
    else if (depth == 0 && span_skip(&rest, "# pmucheck "))
        span_copy(reader->version, LOG_TEXT, rest);
    else if (depth == 0 && span_skip(&rest, "# sync "))
        read_sync(reader, line);
    else if (depth == 0 && span_skip(&rest, "# end "))
        read_end(reader, line);
}

static void read_line(struct log_reader *reader, struct span line)
{
    struct span rest = line;
    reader->line++;
    /* A loader's last words may stand before the first line, on the same line. A subtest starts indented. */
    bool subtest = reader->started && !reader->ended && span_skip(&rest, "  ");
    if (!subtest && span_ends_with(line, START)) {
        start(reader);
        line = (struct span){line.text + line.length - strlen(START), strlen(START)};
    }
    if (!reader->started && span_skip(&rest, "# error "))
        span_copy(reader->early_error, LOG_TEXT, rest);
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
