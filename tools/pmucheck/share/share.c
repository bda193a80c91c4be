/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/share/share.h"
#include "kernel/text/text.h"
#include "tools/pmucheck/adopt/evidence.h"
#include "tools/pmucheck/log/line.h"
#include "tools/pmucheck/log/write.h"
#include <stdlib.h>
#include <string.h>

/* ---- The shared lines: about the CPU, its tests, and their results */

static const char *const kinds[] = {
    "pmucheck",
    "image",
    "machine",
    "cpu",
    "cpuid",
    "platform",
    "options",
    "date",
    "tsc",
    "clock",
    "topology",
    "budget",
    "capabilities",
    "device-interrupts",
    "run",
    "core-type",
    "place",
    "pebs",
    "handoff",
    "found",
    "bits",
    "measure",
    "curve",
    "took",
    "fingerprint",
    "held",
    "fail",
    "differs",
    "erratum",
    "good-for",
    "scan",
    "reason",
    "advice",
    "note",
    "outcomes",
    "foreign-nmi",
    "machine-check",
    "stray",
    "untested",
    "event",
    "lockstep",
    "microcode",
    "changed",
    "changes",
    "resets",
    "reset-differs",
    "state",
    "state-differs",
    "good-for-fact",
    "proven-here",
    "not-proven-here",
};

/* Fields that may identify somebody: a board may be unique, and its firmware may name the owner. */
static const struct {
    const char *kind, *key;
    bool board;
} private_fields[] = {
    {"machine", "name", false}, {"machine", "board", true}, {"machine", "bios", true},
    {"options", "boot", false}, {"options", "qemu", false},
};
#define PRIVATE (sizeof(private_fields) / sizeof(private_fields[0]))

static bool is_shared(const struct log_record *r)
{
    bool serial_number = log_is(r, "cpuid") && strstr(r->text, "leaf=00000003");
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(r->kind, kinds[i]) == 0)
            return !serial_number;
    return false;
}

/* Options that change the tests. Others have the machine's name, and addresses in its memory. */
static bool is_shared_option(const char *word)
{
    static const char *const words[] = {
        "quick", "run=",     "skip=",      "cpus=",    "dangerous=", "judge=",    "repeat=",
        "soak=", "shuffle=", "skip-step=", "failfast", "log=full",   "lockstep=", "prove-here="};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        size_t length = strlen(words[i]);
        if (words[i][length - 1] == '=' ? strncmp(word, words[i], length) == 0 : strcmp(word, words[i]) == 0)
            return true;
    }
    return false;
}

static const char *shared_options(struct arena *arena, const char *options)
{
    char *all = arena_copy(arena, options, strlen(options)), *rest;
    char *kept = arena_alloc(arena, strlen(options) + 1), *to = kept;
    for (char *word = strtok_r(all, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        if (is_shared_option(word))
            to = stpcpy(stpcpy(to, to == kept ? "" : " "), word);
    return kept;
}

static bool is_private(const struct log_record *r, const char *key, bool board)
{
    for (size_t i = 0; i < PRIVATE; i++)
        if (strcmp(private_fields[i].kind, r->kind) == 0 && strcmp(private_fields[i].key, key) == 0)
            return !(private_fields[i].board && board);
    return false;
}

static bool may_be_private(const struct log_record *r)
{
    for (size_t i = 0; i < PRIVATE; i++)
        if (strcmp(private_fields[i].kind, r->kind) == 0)
            return true;
    return false;
}

static const char *shared_value(struct arena *arena, const struct log_record *r, const struct log_field *field,
                                bool board, struct share_left *left)
{
    if (!is_private(r, field->key, board))
        return field->value;
    const char *kept = log_is(r, "options") ? shared_options(arena, field->value) : "";
    if (strcmp(kept, field->value) != 0)
        *LIST_ADD(arena, &left->removed) = arena_print(arena, "# %s %s=\"%s\"", r->kind, field->key, field->value);
    return kept;
}

/* Rebuilds a line with private fields from its fields, because a value may look like another field. */
static const char *shared_text(struct arena *arena, const struct log_record *r, bool board, struct share_left *left)
{
    if (!may_be_private(r))
        return arena_print(arena, "# %s", r->text);
    /* A quoted value has up to two characters for each of its own, and two quotes. */
    size_t room = sizeof("# ") + 3 * strlen(r->text) + 4 * r->fields;
    char *text = arena_alloc(arena, room), *to = stpcpy(stpcpy(text, "# "), r->kind);
    for (unsigned i = 0; i < r->fields; i++) {
        to = stpcpy(stpcpy(stpcpy(to, " "), r->field[i].key), "=");
        format_quoted(to, (size_t)(text + room - to), shared_value(arena, r, &r->field[i], board, left));
        to += strlen(to);
    }
    return text;
}

/* ---- The lines in their order */

struct shared_line {
    unsigned line, order;
    const char *text;
};
struct shared_lines {
    LIST(struct shared_line) list;
};

static void add(struct arena *arena, struct shared_lines *lines, unsigned line, const char *text)
{
    unsigned order = lines->list.count;
    *LIST_ADD(arena, &lines->list) = (struct shared_line){line, order, text};
}

static int by_line(const void *a, const void *b)
{
    const struct shared_line *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static const char *result_text(struct arena *arena, const struct log_result *result)
{
    const struct line_form *form = &line_form[result->outcome];
    return arena_print(arena, "%sok %u %s%s%s%s", form->ok ? "" : "not ", result->number, result->id, form->directive,
                       form->directive[0] ? " " : "", form->directive[0] ? result->reason : "");
}

static const char *totals_of(struct arena *arena, const struct log_boot *boot)
{
    const char *text = arena_print(arena, "verdict=%s", boot->verdict);
    for (unsigned i = 0; i < LOG_OUTCOMES; i++)
        text = arena_print(arena, "%s %s=%u", text, log_outcome_name[i], boot->end_total[i]);
    return text;
}

/* The only run: a run of tests, without subtests. */
static const struct log_run *run_of(const struct log_boot *boot)
{
    bool one = boot->runs.count == 1 && boot->runs.item[0].depth == 0 && log_run_of_tests(&boot->runs.item[0]);
    return one ? &boot->runs.item[0] : NULL;
}

/* The plan stood before this line. Walks in place of tests have no line "# begin", but records of their own. */
static unsigned first_line_of(const struct log_boot *boot, const struct log_run *run)
{
    unsigned first = run->begun.count ? run->begun.item[0].line : boot->last_line;
    for_each_item (run->results, result) {
        unsigned line = result->records ? boot->records.item[result->first_record].line : result->line;
        first = line < first ? line : first;
    }
    return first;
}

static void collect(struct arena *arena, const struct log_boot *boot, bool board, struct shared_lines *lines,
                    struct share_left *left)
{
    const struct log_run *run = run_of(boot);
    for_each_item (boot->records, r) {
        bool frame = log_is(r, "result") || r->line < run->line;
        if (!frame && r->depth == 0 && is_shared(r))
            add(arena, lines, r->line, shared_text(arena, r, board, left));
        else
            left->lines += !frame;
    }
    for_each_item (run->begun, begin)
        add(arena, lines, begin->line, arena_print(arena, "# begin %s", begin->id));
    for_each_item (run->results, result)
        add(arena, lines, result->line, result_text(arena, result));
    add(arena, lines, first_line_of(boot, run) - 1, arena_print(arena, "1..%u", run->plan));
    left->lines += boot->noise;
}

/* ---- The whole log */

const char *share_refusal(const struct log_boot *boot)
{
    if (!boot->ended || boot->problems.count)
        return "the log is not whole, and others could not rely on it: pmucheck report lists its problems";
    const struct log_run *run = run_of(boot);
    if (!run)
        return "the log has several runs of tests, or none: share one run of hardware";
    if (strncmp(run->pmu, "reference:", 10) == 0)
        return "the log is from the reference PMU, which says nothing about a CPU: share a log of hardware";
    return NULL;
}

void share_write(FILE *out, struct arena *arena, const struct log_boot *boot, bool board, struct share_left *left)
{
    struct shared_lines lines = {0};
    struct written_log writer;
    memset(left, 0, sizeof(*left));
    /* The board of a virtual machine identifies nobody, and shows that the log is not of hardware. */
    collect(arena, boot, board || evidence_is_virtual(log_find(boot, NULL, "machine")), &lines, left);
    LIST_SORT(lines.list, by_line);
    log_write_begin(&writer, out);
    log_write_start(&writer);
    for_each_item (lines.list, line)
        log_write_line(&writer, "%s", line->text);
    log_write_line(&writer, "# shared code=%s removed=%u lines=%u", boot->code[0] ? boot->code : "none",
                   left->removed.count, left->lines);
    log_write_result(&writer, totals_of(arena, boot));
    log_write_end(&writer, totals_of(arena, boot));
}
