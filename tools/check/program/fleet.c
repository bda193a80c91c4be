/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes logs of many machines from the logs of a few: each run in the base logs becomes the logs of several hardware
 * machines, with names, clocks and microcode of their own, and new check sums. They test and measure the host program
 * without a rack of machines. Their line "# pmucheck" says version=fleet, so that none passes for a real machine's.
 *
 * usage: fleet DIRECTORY COUNT REVISIONS BASE.log[,KEY=VALUE]...
 *        machines take turns with the runs of the base logs, each time with the next of so many revisions of the
 *        microcode; KEY, as bios, of their lines "# machine" and "# cpu" gets another value
 */
#include "tools/arena.h"
#include "tools/pmucheck/log/line.h"
#include "tools/pmucheck/log/write.h"
#include "tools/text_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The lines of its machine, then the lines of the run, without indentation. */
struct run {
    LIST(struct span) lines;
    const char *key, *value; /* "bios=", "F2"; NULL: nothing is changed */
    unsigned results[LOG_OUTCOMES];
};

static struct arena arena;
static struct {
    struct run *item;
    unsigned count, room;
} runs;

/* ---- Reading the base logs */

static bool begins(struct span line, const char *words)
{
    return span_skip(&line, words);
}

/* Lines that are written anew, or that are about the log and not the machine. */
static bool is_frame(struct span line)
{
    static const char *const words[] = {"# sync ", "# end ", "# result ", "# Subtest", "# pmucheck ", "# heartbeat "};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (begins(line, words[i]))
            return true;
    return false;
}

static struct run *new_run(const struct run *header, const char *key, const char *value)
{
    struct run *run = LIST_ADD(&arena, &runs);
    run->key = key;
    run->value = value;
    for (unsigned i = 0; header && i < header->lines.count; i++)
        *LIST_ADD(&arena, &run->lines) = header->lines.item[i];
    return run;
}

/* In a log of several runs the machine's lines are copied into each run; in a log of a single run they are part of
 * it. */
static void read_base(const char *text, size_t size, const char *key, const char *value)
{
    struct run header = {0}, *run = NULL;
    bool begun = false, several = strstr(text, "\n# Subtest") || strstr(text, "\n  # Subtest");
    for (struct span rest = {text, size}, line; span_line(&rest, &line);) {
        bool nested = span_skip(&line, "  ");
        struct line told = line_read(line);
        if (told.kind == LINE_OPENS) {
            begun = true;
            run = several && !nested ? &header : new_run(&header, key, value);
            continue;
        }
        bool outer = several && !nested && (told.kind == LINE_PLAN || told.kind == LINE_RESULT);
        if (!begun || !run || is_frame(line) || outer)
            continue;
        *LIST_ADD(&arena, &run->lines) = line;
        run->results[told.outcome] += told.kind == LINE_RESULT;
    }
}

/* ---- Writing a machine's */

/* Replaces the value of "key=..." in the line. */
static char *with(char *line, const char *key, const char *value)
{
    char *at = strstr(line, key);
    if (!at)
        return line;
    char *end = at + strlen(key);
    end += *end == '"' ? strcspn(end + 1, "\"") + 2 : strcspn(end, " ");
    return arena_print(&arena, "%.*s%s%s%s", (int)(at - line), line, key, value, end);
}

static void put_line(struct written_log *w, const struct run *run, struct span span, unsigned machine,
                     unsigned revision)
{
    char *line = arena_copy(&arena, span.text, span.length);
    if (strncmp(line, "# machine ", 10) == 0) {
        line = with(line, "hypervisor=", "none");
        line = with(line, "tsc-khz=", arena_print(&arena, "%u", 2600000 + machine % 97));
        char *name = strstr(line, " name=");
        line = arena_print(&arena, "%.*s name=m%05u", name ? (int)(name - line) : (int)strlen(line), line, machine);
    } else if (strncmp(line, "# run ", 6) == 0) {
        line = "# run pmu=hardware";
    } else if (strncmp(line, "# cpu ", 6) == 0 && revision) {
        line = with(line, "microcode=", arena_print(&arena, "%08x", 0x100 + revision));
    }
    if (run->key && (strncmp(line, "# machine ", 10) == 0 || strncmp(line, "# cpu ", 6) == 0))
        line = with(line, run->key, run->value);
    log_write_line(w, "%s", line);
}

static const char *verdict_of(const struct run *run)
{
    return run->results[LOG_FAIL]     ? "fail"
           : run->results[LOG_ERROR]  ? "error"
           : run->results[LOG_REVIEW] ? "review"
                                      : "pass";
}

static void write_machine(const char *path, const struct run *run, unsigned machine, unsigned revision)
{
    struct written_log w;
    FILE *out = fopen(path, "w");
    if (!out) {
        fprintf(stderr, "fleet: %s cannot be written\n", path);
        exit(99);
    }
    log_write_begin(&w, out);
    log_write_start(&w);
    log_write_line(&w, "# pmucheck version=fleet commit=000000000000 log=1");
    for (unsigned i = 0; i < run->lines.count; i++)
        put_line(&w, run, run->lines.item[i], machine, revision);
    char *totals = arena_print(&arena, "verdict=%s", verdict_of(run));
    for (unsigned i = 0; i < LOG_OUTCOMES; i++)
        totals = arena_print(&arena, "%s %s=%u", totals, log_outcome_name[i], run->results[i]);
    log_write_result(&w, totals);
    log_write_end(&w, totals);
    fclose(out);
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: fleet DIRECTORY COUNT REVISIONS BASE.log...\n");
        return 99;
    }
    unsigned count = (unsigned)strtoul(argv[2], NULL, 10), revisions = (unsigned)strtoul(argv[3], NULL, 10);
    for (int i = 4; i < argc; i++) {
        size_t size;
        char *comma = strrchr(argv[i], ','), *equals = comma ? strchr(comma, '=') : NULL;
        const char *key = equals ? arena_copy(&arena, comma + 1, (size_t)(equals - comma)) : NULL;
        if (equals)
            *comma = 0;
        char *text = text_file_read("fleet", argv[i], &size);
        if (!text)
            return 99;
        char *kept = arena_copy(&arena, text, size);
        free(text);
        read_base(kept, size, key, equals ? equals + 1 : NULL);
    }
    for (unsigned i = 0; runs.count && i < count; i++) {
        struct arena lasting = arena;
        arena = (struct arena){0};
        char *path = arena_print(&arena, "%s/m%05u.log", argv[1], i);
        write_machine(path, &runs.item[i % runs.count], i, revisions ? i / runs.count % revisions : 0);
        arena_free(&arena);
        arena = lasting;
    }
    return runs.count ? 0 : 99;
}
