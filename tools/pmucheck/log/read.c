/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of a log, and the KTAP levels that they make. */
#include "tools/pmucheck/log/line.h"
#include "tools/pmucheck/log/parse.h"
#include <string.h>

#define SUM_DIGITS 8

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
    if (!run_at(r, depth)) {
        open_level(r, depth);
        run_at(r, depth)->headless = r->head == HEAD_LOST;
    }
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

/* The line that was read last. */
static const struct log_record *last_record(const struct log_reader *r)
{
    return &r->boot->records.item[r->boot->records.count - 1];
}

/* A sum in the image's first words, which a narrow screen may have cut: no check sum is over them. */
static const char *whole_sum(const char *text)
{
    return text && strlen(text) == SUM_DIGITS ? text : "";
}

static void read_outcomes(struct log_reader *r, unsigned depth)
{
    struct log_run *run = level(r, depth);
    run->outcomes = log_value(last_record(r), "list");
    run->also = log_value(last_record(r), "also");
    run->outcomes_line = r->line;
}

/* The result code sums up lines that came before it. */
static void read_result_code(struct log_reader *r)
{
    char code[RESULT_CODE_SIZE];
    r->boot->code = log_word(last_record(r), "code");
    if (r->head != HEAD_LOST && strcmp(r->boot->code, result_code_text(&r->code, code)) != 0)
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
            struct log_run *run = level(r, depth);
            run->pmu = log_value(last_record(r), "pmu");
            run->judge = log_value(last_record(r), "judge");
            run->host_kernel = log_value(last_record(r), "host-kernel");
            run->half = log_value(last_record(r), "microcode");
        } else if (span_skip(&rest, "# outcomes "))
            read_outcomes(r, depth);
        else if (depth == 0 && r->boot->started && span_skip(&rest, "# result "))
            read_result_code(r);
        else if (span_skip(&rest, "# pmucheck ")) {
            r->boot->version = log_word(last_record(r), "version");
            r->boot->commit = log_word(last_record(r), "commit");
            if (!r->boot->started)
                r->boot->sum = whole_sum(log_value(last_record(r), "sum"));
        } else if (!r->boot->started && span_skip(&rest, "# start ")) {
            r->boot->stage = last_record(r)->subject;
        } else if (!r->boot->started && span_skip(&rest, "# error ")) {
            r->boot->early_error = log_text(&r->file->arena, rest);
        }
    }
}

void log_read_first(struct log_reader *r)
{
    open_level(r, 0);
    run_at(r, 0)->headless = r->head == HEAD_LOST;
    result_code_line(&r->code, LINE_START, strlen(LINE_START));
}

/* ---- Lines */

bool log_read_line(struct log_reader *r, struct span text)
{
    const struct line line = line_read(text);
    if (line.kind == LINE_OTHER || line.depth >= LOG_LEVELS)
        return false;
    result_code_line(&r->code, text.text, text.length);
    if (line.kind == LINE_COMMENT)
        read_comment(r, line.depth, line.text);
    else if (line.kind == LINE_OPENS)
        open_level(r, line.depth);
    else if (line.kind == LINE_PLAN)
        read_plan(r, line.depth, line.text);
    else if (line.kind == LINE_RESULT)
        read_result(r, &line);
    else if (line.kind == LINE_BAIL_OUT)
        log_problem(r, r->line, "%.*s", (int)line.text.length, line.text.text);
    return true;
}

void log_read_starting(struct log_reader *r, struct span text)
{
    const struct line line = line_read(text);
    if (line.kind == LINE_COMMENT)
        read_comment(r, 0, line.text);
}
