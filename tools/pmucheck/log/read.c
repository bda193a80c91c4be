/* SPDX-License-Identifier: BSD-2-Clause */
/* The lines of a log, and the KTAP levels that they make. */
#include "tools/pmucheck/log/capture.h"
#include "tools/pmucheck/log/line.h"
#include "tools/pmucheck/log/parse.h"
#include <string.h>

#define WAITS_MOST 4096 /* a block has at most 50 lines of the image */
#define LINE_MOST 1024  /* a line of the image is not longer */
#define HEAD_MOST 256   /* lines before a log's beginning is found: more than the start's and a block's */

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

/* A line at its place in the log, without a prefix. False: the line is not the image's. */
static bool read_line(struct log_reader *r, struct span text)
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

/* A line between the image's first words and KTAP, over which there is no sum. */
static bool read_starting(struct log_reader *r, struct span text)
{
    const struct line line = line_read(text);
    if (line.kind == LINE_COMMENT)
        read_comment(r, 0, line.text);
    return true;
}

/* ---- Lines wait until a sum over them comes, or until it is known what they are. */

/* Forgets what waits; `taken`: as the image's lines, where they may be such. */
static void let_go(struct log_reader *r, unsigned count, bool taken)
{
    unsigned line = r->line;
    if (!count)
        return;
    for (unsigned i = 0; i < count; i++) {
        const struct waiting *w = &r->waits.item[i];
        bool mine = taken && w->spot.found && (w->spot.prefix > 0) == r->prefixed;
        r->line = w->number;
        if (mine && r->state == READER_STARTING)
            read_starting(r, w->spot.text);
    }
    r->line = line;
    r->waits.count -= count;
    memmove(r->waits.item, r->waits.item + count, r->waits.count * sizeof(*r->waits.item));
}

static void wait(struct log_reader *r, struct span line, const struct spot *spot)
{
    bool running = r->state == READER_RUNNING;
    if (!running && !spot->found)
        return;
    if (running && r->waits.count >= WAITS_MOST)
        log_block_take(r, MARK_NONE, line, read_line);
    else if (!running && r->waits.count >= HEAD_MOST)
        let_go(r, HEAD_MOST / 2, true);
    *LIST_ADD(&r->file->arena, &r->waits) = (struct waiting){line, *spot, r->line};
}

static void take_all_waiting(struct log_reader *r)
{
    if (r->state == READER_RUNNING)
        log_block_take(r, MARK_NONE, (struct span){"", 0}, read_line);
    else if (r->waits.count)
        let_go(r, r->waits.count, true);
}

/* ---- Boots */

static void forget(struct log_reader *r)
{
    r->file->boots.count--;
    memset(r->boot, 0, sizeof(*r->boot));
    r->boot = &r->file->boots.item[r->file->boots.count - 1];
    r->state = READER_ENDED;
    r->dropped = true;
}

static void new_boot(struct log_reader *r)
{
    struct log_file *file = r->file;
    struct log_reader next = {.file = file, .line = r->line, .end_before = r->end, .prefixed = r->prefixed};
    if (r->boot && !r->dropped)
        log_check(r);
    /* A terminal program that stamps lines stamps all of them. */
    memcpy(next.gap, r->gap, sizeof(next.gap));
    memcpy(&next.waits, &r->waits, sizeof(next.waits));
    next.column = r->column;
    next.good = r->good;
    next.wrong = r->wrong;
    *r = next;
    r->boot = LIST_ADD(&file->arena, &file->boots);
    r->boot->line = r->line;
    r->boot->sum = "";
    r->boot->verdict = r->boot->code = r->boot->version = r->boot->commit = r->boot->stage = r->boot->early_error = "";
    memset(r->open, -1, sizeof(r->open));
}

/* The log begins with this line; `opened`: its first line is "KTAP version 1", there or not. */
static void begin(struct log_reader *r, unsigned line, bool opened)
{
    static const struct span first = {LINE_START, sizeof(LINE_START) - 1};
    unsigned now = r->line;
    r->state = READER_RUNNING;
    r->boot->started = true;
    r->line = r->block_line = line;
    open_level(r, 0);
    run_at(r, 0)->headless = r->head == HEAD_LOST;
    r->line = now;
    result_code_line(&r->code, first.text, first.length);
    if (opened)
        r->block = log_sum_line(r->block, first);
}

/* ---- A log whose beginning is lost: a sync line, or the line with the log's format, shows that it is one. */

static void tell_head(struct log_reader *r, unsigned line)
{
    if (r->head == HEAD_LINE_LOST)
        log_problem(r, line, "the line \"" LINE_START "\" is missing before this one, or was changed");
    else
        log_problem(r, line,
                    "the beginning of this log is lost, before this line: results between good check sums count, but "
                    "the log is not whole");
}

/* The line of the waiting ones with which the log begins, if no sum tells. */
static unsigned likely_first(const struct log_reader *r)
{
    unsigned first = 0;
    for (unsigned i = 0; i < r->waits.count; i++) {
        struct span rest = r->waits.item[i].spot.text;
        if (r->state == READER_STARTING && span_skip(&rest, "# start "))
            first = i + 1;
    }
    return first;
}

/* The log goes on with this line, a sync or END line, or at the file's end with none. */
static void begin_late(struct log_reader *r, enum mark mark, struct span judge)
{
    unsigned first = 0, seq = 0;
    struct span number = span_value(judge, "seq");
    bool opened = false, found = mark != MARK_NONE && log_block_find(r, judge, &first, &opened);
    if (!found)
        first = likely_first(r);
    if (r->state == READER_ENDED)
        new_boot(r);
    let_go(r, first, true);
    r->head = found && opened ? HEAD_LINE_LOST : HEAD_LOST;
    begin(r, r->waits.count ? r->waits.item[0].number : r->line, found && opened);
    tell_head(r, r->block_line);
    if (r->head == HEAD_LOST && mark == MARK_SYNC && span_number(&number, &seq) && seq)
        r->syncs = seq - 1;
}

/* ---- Marked lines */

/* "KTAP version 1" at level 0: what stands before it on its line may be a time stamp, or a loader's last message. */
static void read_opens(struct log_reader *r)
{
    take_all_waiting(r);
    if (r->state >= READER_RUNNING)
        new_boot(r);
    begin(r, r->line, true);
}

static void read_first_words(struct log_reader *r, struct span line, const struct spot *spot)
{
    take_all_waiting(r);
    if (r->state != READER_EMPTY)
        new_boot(r);
    r->state = READER_STARTING;
    r->boot->identified = true;
    wait(r, line, spot);
}

/* The second line of a log. */
static void read_names(struct log_reader *r, struct span line, const struct spot *spot)
{
    if (r->state != READER_RUNNING || r->named) {
        take_all_waiting(r);
        if (r->state >= READER_RUNNING)
            new_boot(r);
        r->head = HEAD_LINE_LOST;
        begin(r, r->line, true);
        tell_head(r, r->line);
    }
    r->named = r->boot->identified = true;
    wait(r, line, spot);
}

static bool is_whole_sync(struct span text)
{
    struct span sum = span_value(text, "crc32");
    return span_value(text, "seq").length > 0 && sum.length == 8 && sum.text + 8 == text.text + text.length;
}

static void read_sync(struct log_reader *r, struct span text)
{
    if (r->state != READER_RUNNING && is_whole_sync(text))
        begin_late(r, MARK_SYNC, text);
    if (r->state != READER_RUNNING)
        return;
    log_block_take(r, MARK_SYNC, text, read_line);
    log_read_sync(r, text);
}

static bool results_wait(const struct log_reader *r)
{
    for (unsigned i = 0; i < r->waits.count; i++)
        if (spot_is_result(r->waits.item[i].spot.text))
            return true;
    return false;
}

/* An image that stops during its start has no log yet. */
static void read_early_end(struct log_reader *r, struct span text)
{
    take_all_waiting(r);
    r->boot->verdict = log_text(&r->file->arena, span_value(text, "verdict"));
    r->boot->ended = true;
    r->state = READER_ENDED;
}

static void read_end(struct log_reader *r, struct span text)
{
    bool results = results_wait(r);
    if (r->state == READER_ENDED && (r->end.doubtful || !results)) {
        if (r->end.doubtful)
            log_read_end(r, text);
        return;
    }
    if (r->state == READER_STARTING && !results) {
        read_early_end(r, text);
        return;
    }
    if (r->state != READER_RUNNING)
        begin_late(r, MARK_END, text);
    log_block_take(r, MARK_END, text, read_line);
    log_read_end(r, text);
    r->state = READER_ENDED;
    /* Consoles with a memory repeat its content. */
    if (r->head == HEAD_LOST && r->end_before.sum == r->end.sum && r->file->boots.count > 1)
        forget(r);
}

/* ---- Lines */

static bool is_level_0(const struct log_reader *r, const struct spot *spot)
{
    return r->state == READER_EMPTY || spot->blanks < r->gap[spot->prefix > 0] + 2 || (spot->prefix > 0) != r->prefixed;
}

/* An END line that was wrapped has its sum in the next line. */
static bool is_cut_end(const struct log_reader *r, enum mark mark, struct span text)
{
    struct span sum = span_value(text, "crc32");
    return mark == MARK_END && r->state != READER_STARTING &&
           !(sum.length == 8 && sum.text + 8 == text.text + text.length);
}

static void read_marked(struct log_reader *r, enum mark mark, struct span line, const struct spot *spot)
{
    r->prefixed = spot->prefix > 0;
    r->gap[r->prefixed] = spot->blanks;
    r->column = spot->prefix + spot->blanks;
    if (mark == MARK_OPENS)
        read_opens(r);
    else if (mark == MARK_FIRST_WORDS)
        read_first_words(r, line, spot);
    else if (mark == MARK_NAMES)
        read_names(r, line, spot);
    else if (mark == MARK_SYNC)
        read_sync(r, spot->text);
    else if (is_cut_end(r, mark, spot->text))
        r->cut_end = spot->text;
    else
        read_end(r, spot->text);
}

/* An END line without its sum, with this line behind it. *whole: the likely one; returns false if it has no sum yet. */
static bool complete_end(struct log_reader *r, struct span line, struct span *whole)
{
    bool complete = false;
    for (unsigned blanks = 0; line.length && line.length < LINE_MOST && blanks < 2; blanks++) {
        const char *text = arena_print(&r->file->arena, "%.*s%.*s%.*s", (int)r->cut_end.length, r->cut_end.text,
                                       (int)blanks, " ", (int)line.length, line.text);
        struct span joined = {text, strlen(text)};
        while (joined.length && text[joined.length - 1] == ' ')
            joined.length--;
        if (is_cut_end(r, MARK_END, joined))
            continue;
        *whole = joined;
        complete = true;
        if (log_block_holds(r, MARK_END, joined))
            break;
    }
    return complete;
}

/* Reads an END line without its sum. True: this line was a part of it. */
static bool read_cut_end(struct log_reader *r, struct span line)
{
    struct span whole = r->cut_end;
    bool complete = complete_end(r, line, &whole);
    r->cut_end.length = 0;
    read_end(r, whole);
    return complete;
}

static void read_captured(struct log_reader *r, struct span line)
{
    if (r->cut_end.length && read_cut_end(r, line))
        return;
    const struct spot spot = spot_of(line);
    const enum mark mark = spot_mark(&spot);
    if (mark != MARK_NONE && ((mark != MARK_OPENS && mark != MARK_NAMES) || is_level_0(r, &spot)))
        read_marked(r, mark, line, &spot);
    else
        wait(r, line, &spot);
}

/* A line that was cut may look like a better one: "ok 4 a.b # SK". The END line proves itself. */
static bool may_be_cut(const struct log_reader *r, struct span line)
{
    const struct spot spot = spot_of(line);
    return !r->cut_end.length && spot_mark(&spot) != MARK_END &&
           (r->state == READER_RUNNING || spot_is_result(spot.text));
}

/* A line that ends with LF, or with CR if there is no LF, may be several: CRs part them. */
static void read_numbered(struct log_reader *r, const struct capture *c, struct span line, bool ended)
{
    for (;;) {
        while (line.length && line.text[0] == '\r')
            line = (struct span){line.text + 1, line.length - 1};
        const char *cr = c->lone_cr && c->by_lf && line.length ? memchr(line.text, '\r', line.length) : NULL;
        if (!cr)
            break;
        read_captured(r, (struct span){line.text, (size_t)(cr - line.text)});
        line = (struct span){cr, line.length - (size_t)(cr - line.text)};
        if (line.length == 1)
            return;
    }
    if (ended || !may_be_cut(r, line))
        read_captured(r, line);
}

static void read_capture(struct log_reader *r, const struct capture *c)
{
    const char end = c->by_lf ? '\n' : '\r', *at = c->text.text, *stop = at + c->text.length;
    while (at < stop) {
        const char *found = memchr(at, end, (size_t)(stop - at)), *next = found ? found + 1 : stop;
        struct span line = {at, (size_t)((found ? found : stop) - at)};
        while (line.length && line.text[line.length - 1] == '\r')
            line.length--;
        r->line++;
        read_numbered(r, c, line, found || (next == stop && stop[-1] == '\r'));
        at = next;
    }
    if (r->cut_end.length)
        read_cut_end(r, (struct span){"", 0});
    if (r->state < READER_RUNNING && results_wait(r))
        begin_late(r, MARK_NONE, (struct span){"", 0});
    take_all_waiting(r);
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

/* Returns the number of good check sums, less the wrong ones. */
static int read_as(struct log_file *file, const char *path, const struct capture *c)
{
    struct log_reader reader = {.file = file, .line = 1};
    arena_reset(&file->arena);
    *file = (struct log_file){.arena = file->arena};
    file->path = arena_copy(&file->arena, path, strlen(path));
    file->other = c->other;
    new_boot(&reader);
    reader.line = 0;
    read_capture(&reader, c);
    reader.at_end = true;
    reader.line += reader.line == 0;
    if (!reader.dropped)
        log_check(&reader);
    return (int)reader.good - (int)reader.wrong;
}

void log_read_again(struct log_file *file, const char *path, const char *text, size_t size)
{
    struct capture plain, unwrapped;
    capture_open(&plain, text, size);
    int good = read_as(file, path, &plain);
    bool better = false, tried = false;
    /* What others wrapped has no good sum, or few. */
    for (unsigned n = 0; !log_last_whole(file) && !better && capture_unwrap(&unwrapped, plain.text, n); n++) {
        tried = true;
        better = read_as(file, path, &unwrapped) > good;
        capture_close(&unwrapped);
    }
    if (tried && !better)
        read_as(file, path, &plain);
    capture_close(&plain);
}

void log_free(struct log_file *file)
{
    arena_free(&file->arena);
    memset(file, 0, sizeof(*file));
}
