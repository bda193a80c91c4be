/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of a log, and the KTAP levels that they make. */
#include "tools/pmucheck/log/line.h"
#include "tools/pmucheck/log/parse.h"
#include <ctype.h>
#include <string.h>

#define STAMP_MAX 48

/* ---- Levels. Each open level has a run, known by its index, because runs may move in memory. */

static struct log_run *run_at(struct log_reader *r, unsigned depth)
{
    return r->open[depth] < 0 ? NULL : &r->boot->runs.item[r->open[depth]];
}

static void close_levels_from(struct log_reader *r, unsigned depth)
{
    for (; depth < LOG_LEVELS; depth++) {
        struct log_run *run = run_at(r, depth);
        if (run)
            run->last_line = r->line;
        r->open[depth] = -1;
    }
}

static void open_level(struct log_reader *r, unsigned depth)
{
    close_levels_from(r, depth);
    struct log_run *run = LIST_ADD(&r->file->arena, &r->boot->runs);
    run->depth = depth;
    run->line = r->line;
    run->first_record = r->boot->records.count;
    r->open[depth] = (int)r->boot->runs.count - 1;
}

/* The run of this level; opens one if its first line was lost. */
static struct log_run *level(struct log_reader *r, unsigned depth)
{
    if (!run_at(r, depth))
        open_level(r, depth);
    return run_at(r, depth);
}

/* Records before a run's plan or first test belong to the run. */
static void end_header(struct log_reader *r, struct log_run *run)
{
    if (!run->header_read)
        run->records = r->boot->records.count - run->first_record;
    run->header_read = true;
    r->first_record = r->boot->records.count;
}

static void read_plan(struct log_reader *r, unsigned depth, struct span plan)
{
    struct log_run *run = level(r, depth);
    unsigned number;
    if (run->planned)
        log_problem(r, r->line, "level %u has a second plan", depth);
    else if (span_number(&plan, &number) && plan.length == 0) {
        run->planned = true;
        run->plan = number;
    }
    end_header(r, run);
}

/* ---- Results */

static void read_result(struct log_reader *r, const struct line *line)
{
    struct log_result result = {.line = r->line, .outcome = line->outcome, .number = line->number};
    struct log_run *run = level(r, line->depth);
    result.id = log_text(&r->file->arena, line->id);
    result.reason = log_text(&r->file->arena, line->reason);
    for (unsigned deeper = line->depth + 1; deeper < LOG_LEVELS; deeper++)
        result.parent |= r->open[deeper] >= 0;
    if (!result.parent) {
        result.first_record = r->first_record;
        result.records = r->boot->records.count - r->first_record;
    }
    if (run->begun.count && strcmp(run->begun.item[run->begun.count - 1].id, result.id) == 0)
        run->begun.item[run->begun.count - 1].done = true;
    end_header(r, run);
    *LIST_ADD(&r->file->arena, &run->results) = result;
    close_levels_from(r, line->depth + 1);
}

/* ---- Comment lines */

static void read_begin(struct log_reader *r, unsigned depth, struct span id)
{
    struct log_run *run = level(r, depth);
    end_header(r, run);
    struct log_begin *begin = LIST_ADD(&r->file->arena, &run->begun);
    begin->id = log_text(&r->file->arena, id);
    begin->line = r->line;
}

static const char *last_value(struct log_reader *r, const char *key)
{
    return log_value(&r->boot->records.item[r->boot->records.count - 1], key);
}

static const char *or_nothing(const char *text)
{
    return text ? text : "";
}

static void read_outcomes(struct log_reader *r, unsigned depth)
{
    struct log_run *run = level(r, depth);
    run->outcomes = last_value(r, "list");
    run->outcomes_line = r->line;
}

/* The result code sums up lines that came before it. */
static void read_result_code(struct log_reader *r)
{
    char code[RESULT_CODE_SIZE];
    r->boot->code = or_nothing(last_value(r, "code"));
    if (strcmp(r->boot->code, result_code_text(&r->code, code)) != 0)
        log_problem(
            r, r->line,
            "the result code is %s, but the lines that it sums up give %s: one of # pmucheck, # machine, # cpu, "
            "# run, # core-type, # outcomes and # result was lost or changed",
            r->boot->code, code);
}

/* Notes that no clock was found on the machine: its times cannot be compared. */
static bool is_no_time(const struct log_reader *r, struct span line)
{
    struct span rest = line;
    bool time = span_skip(&rest, "# took ") || span_skip(&rest, "# heartbeat ");
    if (!time && span_skip(&rest, "# measure ")) {
        struct span unit = span_value(line, "unit");
        time = unit.length == 2 && memcmp(unit.text, "us", 2) == 0;
    }
    return time && log_timeless(r->boot);
}

static void read_comment(struct log_reader *r, unsigned depth, struct span line)
{
    struct span rest = line;
    if (is_no_time(r, line))
        return;
    if (span_skip(&rest, "# begin ")) {
        read_begin(r, depth, rest);
    } else if (span_skip(&rest, "# heartbeat ")) {
        struct span uptime = span_value(line, "uptime");
        span_number(&uptime, &r->boot->seconds);
    } else if (span_skip(&rest, "# Subtest: ")) {
        return; /* the level's own lines have it */
    } else {
        log_record_read(r, depth, line);
        if (span_skip(&rest, "# run ")) {
            level(r, depth)->pmu = last_value(r, "pmu");
            level(r, depth)->judge = last_value(r, "judge");
            level(r, depth)->half = last_value(r, "microcode");
        } else if (span_skip(&rest, "# outcomes "))
            read_outcomes(r, depth);
        else if (depth == 0 && r->boot->started && span_skip(&rest, "# result "))
            read_result_code(r);
        else if (span_skip(&rest, "# pmucheck ")) {
            r->boot->version = or_nothing(last_value(r, "version"));
            r->boot->commit = or_nothing(last_value(r, "commit"));
            if (!r->boot->started)
                r->boot->sum = or_nothing(last_value(r, "sum"));
        } else if (!r->boot->started && span_skip(&rest, "# start ")) {
            r->boot->stage = r->boot->records.item[r->boot->records.count - 1].subject;
        } else if (!r->boot->started && span_skip(&rest, "# error ")) {
            r->boot->early_error = log_text(&r->file->arena, rest);
        }
    }
}

/* ---- Lines */

/* False: the line is not the image's. */
static bool read_ktap(struct log_reader *r, const struct line *line)
{
    struct span rest = line->text;
    if (line->depth >= LOG_LEVELS)
        return false;
    if (line->kind == LINE_COMMENT && line->depth == 0 && span_skip(&rest, "# sync "))
        log_read_sync(r, line->text);
    else if (line->kind == LINE_COMMENT && line->depth == 0 && span_skip(&rest, "# end "))
        log_read_end(r, line->text);
    else if (line->kind == LINE_COMMENT)
        read_comment(r, line->depth, line->text);
    else if (line->kind == LINE_OPENS)
        open_level(r, line->depth);
    else if (line->kind == LINE_PLAN)
        read_plan(r, line->depth, line->text);
    else if (line->kind == LINE_RESULT)
        read_result(r, line);
    else if (line->kind == LINE_BAIL_OUT)
        log_problem(r, r->line, "%.*s", (int)line->text.length, line->text.text);
    return line->kind != LINE_OTHER;
}

/* ---- Boots */

static void new_boot(struct log_reader *r)
{
    struct log_file *file = r->file;
    unsigned line = r->line;
    if (r->boot)
        log_check(r);
    /* A terminal program that stamps lines stamps all of them. */
    *r = (struct log_reader){.file = file, .line = line, .stamp = r->stamp};
    r->boot = LIST_ADD(&file->arena, &file->boots);
    r->boot->line = line;
    r->boot->sum = "";
    r->boot->verdict = r->boot->code = r->boot->version = r->boot->commit = r->boot->stage = r->boot->early_error = "";
    memset(r->open, -1, sizeof(r->open));
}

/* The first line of KTAP. `before` is the text before it on the same line: a time stamp, or a loader's last message. */
static void start(struct log_reader *r, struct span before)
{
    if (r->state >= READER_RUNNING)
        new_boot(r);
    r->state = READER_RUNNING;
    r->boot->started = true;
    r->block_line = r->line;
    if (before.length > 0 && before.length <= STAMP_MAX)
        r->stamp = (struct span){arena_copy(&r->file->arena, before.text, before.length), before.length};
}

static bool counts(char c)
{
    return isdigit((unsigned char)c) || c == ' ';
}

/* Removes the time stamp from a line: of the first line's length, with digits or blanks in the same places. */
static struct span without_stamp(const struct log_reader *r, struct span line)
{
    bool digits = false;
    if (line.length < r->stamp.length)
        return line;
    for (size_t i = 0; i < r->stamp.length; i++) {
        if (counts(r->stamp.text[i]) ? !counts(line.text[i]) : line.text[i] != r->stamp.text[i])
            return line;
        digits |= isdigit((unsigned char)r->stamp.text[i]);
    }
    return digits ? (struct span){line.text + r->stamp.length, line.length - r->stamp.length} : line;
}

/* The image's very first line, which has no log format yet. */
static bool first_words(struct span line)
{
    struct span rest = line;
    return span_skip(&rest, "# pmucheck ") && span_value(line, "log").length == 0;
}

/* No check sum covers the lines between the first message and KTAP. */
static void read_starting(struct log_reader *r, struct span line)
{
    struct span rest = line;
    if (span_skip(&rest, "# end ")) {
        struct span verdict = span_value(line, "verdict");
        r->boot->verdict = log_text(&r->file->arena, verdict);
        r->boot->ended = true;
        r->state = READER_ENDED;
    } else if (span_skip(&rest, "# ")) {
        read_comment(r, 0, line);
    }
}

static void read_running(struct log_reader *r, struct span text)
{
    struct line line = line_read(text);
    if (line.kind != LINE_OTHER)
        result_code_line(&r->code, text.text, text.length);
    r->boot->noise += !read_ktap(r, &line);
    if (r->boot->ended)
        r->state = READER_ENDED;
    else
        log_sum_add(r, text, line.kind != LINE_OTHER);
}

static bool is_end_line(struct span line)
{
    return span_skip(&line, "# end ");
}

static void read_line(struct log_reader *r, struct span line)
{
    r->line++;
    line = without_stamp(r, line);
    struct span rest = line;
    bool subtest = r->state == READER_RUNNING && span_skip(&rest, "  "); /* starts indented */
    if (!subtest && span_ends_with(line, LINE_START)) {
        size_t before = line.length - strlen(LINE_START);
        start(r, (struct span){line.text, before});
        line = (struct span){line.text + before, strlen(LINE_START)};
    } else if (first_words(line)) {
        if (r->state != READER_EMPTY)
            new_boot(r);
        r->state = READER_STARTING;
    }
    if (r->state == READER_STARTING)
        read_starting(r, line);
    else if (r->state == READER_RUNNING)
        read_running(r, line);
    else if (r->state == READER_ENDED && r->end.doubtful && is_end_line(line))
        log_read_end(r, line);
}

/* FNV-1a of 64 bits. */
static uint64_t hash_of(const char *text, size_t size)
{
    uint64_t hash = 0xcbf29ce484222325ull;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3ull;
    return hash;
}

void log_read(struct log_file *file, const char *path, const char *text, size_t size)
{
    memset(file, 0, sizeof(*file));
    log_read_again(file, path, text, size);
    log_identify(file, text, size);
}

void log_identify(struct log_file *file, const char *text, size_t size)
{
    file->hash = hash_of(text, size);
}

void log_read_again(struct log_file *file, const char *path, const char *text, size_t size)
{
    struct log_reader reader = {.file = file, .line = 1};
    arena_reset(&file->arena);
    *file = (struct log_file){.arena = file->arena};
    file->path = arena_copy(&file->arena, path, strlen(path));
    new_boot(&reader);
    reader.line = 0;
    for (struct span rest = {text, size}, line; span_line(&rest, &line);)
        /* A line that was cut may look like a better one: "ok 4 a.b # SK". The END line proves itself. */
        if (rest.length > 0 || text[size - 1] == '\n' || !reader.boot->started || is_end_line(line))
            read_line(&reader, line);
    reader.at_end = true;
    log_check(&reader);
}

void log_free(struct log_file *file)
{
    arena_free(&file->arena);
    memset(file, 0, sizeof(*file));
}
