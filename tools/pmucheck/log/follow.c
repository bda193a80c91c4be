/* SPDX-License-Identifier: BSD-2-Clause */
/* Follows a capture line by line: where a start of the image begins and ends, and which lines between are its log. */
#include "tools/pmucheck/log/line.h"
#include "tools/pmucheck/log/parse.h"
#include <string.h>

#define WAITS_MOST 4096 /* a block has at most 50 lines of the image */
#define LINE_MOST 1024  /* a line of the image is not longer */
#define HEAD_MOST 256   /* lines before a log's beginning is found: more than the start's and a block's */

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
            log_read_starting(r, w->spot.text);
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
        log_block_take(r, MARK_NONE, line, log_read_line);
    else if (!running && r->waits.count >= HEAD_MOST)
        let_go(r, HEAD_MOST / 2, true);
    *LIST_ADD(&r->file->arena, &r->waits) = (struct waiting){line, *spot, r->line};
}

static void take_all_waiting(struct log_reader *r)
{
    if (r->state == READER_RUNNING)
        log_block_take(r, MARK_NONE, (struct span){"", 0}, log_read_line);
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

/* Others write KTAP, too: none of its lines is the image's own. */
static bool is_others(const struct log_reader *r)
{
    bool own = r->boot->identified || r->boot->checked_line || r->boot->ended ||
               log_value(log_find(r->boot, NULL, "options"), "boot");
    for_each_item (r->boot->runs, run)
        own |= run->pmu || run->begun.count;
    return r->state == READER_RUNNING && !own;
}

static void new_boot(struct log_reader *r)
{
    struct log_file *file = r->file;
    if (r->boot && !r->dropped && is_others(r)) {
        file->boots.count--;
        memset(r->boot, 0, sizeof(*r->boot));
        r->dropped = true;
    }
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
    log_read_first(r);
    r->line = now;
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
    if (r->state == READER_RUNNING && !r->named && r->waits.count == 0 && !r->syncs) {
        wait(r, line, spot); /* a log's second line, of which the end is lost */
        return;
    }
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
    log_block_take(r, MARK_SYNC, text, log_read_line);
    log_read_sync(r, text);
}

static bool results_wait(const struct log_reader *r)
{
    for_each_item (r->waits, w)
        if (spot_is_result(w->spot.text))
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
    log_block_take(r, MARK_END, text, log_read_line);
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
    for (unsigned way = 0; line.length && line.length < LINE_MOST && way < 4; way++) {
        unsigned blanks = way % 2, column = way < 2 || line.length < r->column ? 0 : r->column;
        const char *text = arena_print(&r->file->arena, "%.*s%.*s%.*s", (int)r->cut_end.length, r->cut_end.text,
                                       (int)blanks, " ", (int)(line.length - column), line.text + column);
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
            span_step(&line, 1);
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
    if (file->boots.count > 1 && !reader.dropped && is_others(&reader))
        forget(&reader);
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
