/*
 * Logs of many machines, made of the logs of a few: each run in the base logs becomes the log of machines of hardware,
 * with names, clocks and microcode of their own, and new check sums. With these the host program is tried and measured
 * where no rack is at hand. Never a log of a machine: its "# pmucheck" line says version=fleet.
 *
 * usage: fleet DIRECTORY COUNT REVISIONS BASE.log[,KEY=VALUE]...
 *        machines take turns with the runs of the base logs, each time with the next of so many revisions of the
 *        microcode; KEY, as bios, of their lines "# machine" and "# cpu" gets another value
 */
#include "tools/arena.h"
#include "tools/pmucheck/share/write.h"
#include "tools/span.h"
#include "tools/text_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lines of a run, without indentation, and those of its machine before it. */
struct run {
    LIST(struct span) lines;
    const char *key, *value; /* "bios=", "F2"; NULL: all as it was */
    unsigned results[6];     /* pass, fail, known, review, skip, error */
};
static const char *const outcome[6] = {"pass", "fail", "known", "review", "skip", "error"};

static struct arena arena;
static struct {
    struct run *item;
    unsigned count, room;
} runs;

/* ---- Reading the base logs */

static bool has(struct span line, const char *words)
{
    for (size_t i = 0; i + strlen(words) <= line.length; i++)
        if (memcmp(line.text + i, words, strlen(words)) == 0)
            return true;
    return false;
}

static bool begins(struct span line, const char *words)
{
    return span_skip(&line, words);
}

/* What is written anew, or is about the log and not the machine. */
static bool is_frame(struct span line)
{
    static const char *const words[] = {"# sync ", "# end ", "# result ", "# Subtest", "# pmucheck ", "# heartbeat "};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (begins(line, words[i]))
            return true;
    return false;
}

static void count_result(struct run *run, struct span line)
{
    static const char *const words[6] = {"", "", " # XFAIL", " # REVIEW", " # SKIP", " # ERROR"};
    bool good = begins(line, "ok ");
    if (!good && !begins(line, "not ok "))
        return;
    unsigned of = good ? 0 : 1;
    for (unsigned i = 2; i < 6; i++)
        of = has(line, words[i]) ? i : of;
    run->results[of]++;
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

/* Of a log with several runs the machine's lines are taken into each; of one with a single run they stand there. */
static void read_base(const char *text, size_t size, const char *key, const char *value)
{
    struct run header = {0}, *run = NULL;
    bool begun = false, several = strstr(text, "\n# Subtest") || strstr(text, "\n  # Subtest");
    for (size_t at = 0; at < size;) {
        const char *newline = memchr(text + at, '\n', size - at);
        struct span line = {text + at, newline ? (size_t)(newline - text) - at : size - at};
        at += line.length + 1;
        while (line.length && line.text[line.length - 1] == '\r')
            line.length--;
        bool nested = begins(line, "  ");
        if (nested)
            line = (struct span){line.text + 2, line.length - 2};
        if (begins(line, "KTAP version 1")) {
            begun = true;
            run = several && !nested ? &header : new_run(&header, key, value);
            continue;
        }
        bool outer = several && !nested && (begins(line, "1..") || begins(line, "ok ") || begins(line, "not ok "));
        if (!begun || !run || is_frame(line) || outer)
            continue;
        *LIST_ADD(&arena, &run->lines) = line;
        count_result(run, line);
    }
}

/* ---- Writing a machine's */

/* Puts `value` where "key=..." stands in the line. */
static char *with(char *line, const char *key, const char *value)
{
    char *at = strstr(line, key);
    if (!at)
        return line;
    char *end = at + strlen(key);
    end += *end == '"' ? strcspn(end + 1, "\"") + 2 : strcspn(end, " ");
    return arena_print(&arena, "%.*s%s%s%s", (int)(at - line), line, key, value, end);
}

static void put_line(struct log_writer *w, const struct run *run, struct span span, unsigned machine, unsigned revision)
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
    log_write_line(w, line);
}

static const char *verdict_of(const struct run *run)
{
    return run->results[1] ? "fail" : run->results[5] ? "error" : run->results[3] ? "review" : "pass";
}

static void write_machine(const char *path, const struct run *run, unsigned machine, unsigned revision)
{
    struct log_writer w;
    FILE *out = fopen(path, "w");
    if (!out) {
        fprintf(stderr, "fleet: %s cannot be written\n", path);
        exit(99);
    }
    log_write_begin(&w, out);
    log_write_line(&w, "KTAP version 1");
    log_write_line(&w, "# pmucheck version=fleet commit=000000000000 log=1");
    for (unsigned i = 0; i < run->lines.count; i++)
        put_line(&w, run, run->lines.item[i], machine, revision);
    char *totals = arena_print(&arena, "verdict=%s", verdict_of(run));
    for (unsigned i = 0; i < 6; i++)
        totals = arena_print(&arena, "%s %s=%u", totals, outcome[i], run->results[i]);
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
