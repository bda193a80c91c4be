/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/log/line.h"
#include "tools/pmucheck/run/run.h"
#include <stdio.h>
#include <string.h>

#define BAR 24

static void read_plan(struct progress *p, struct span digits, bool outer)
{
    unsigned number = 0;
    if (!span_number(&digits, &number))
        return;
    p->plan = number;
    p->results = 0;
    if (outer)
        p->runs = number; /* assumed until tests of its own appear */
    else if (p->run < p->runs)
        p->run++;
}

static void read_comment(struct progress *p, struct span line)
{
    struct span rest = line;
    if (span_skip(&rest, "# begin "))
        span_copy(p->test, sizeof(p->test), rest);
    else if (span_skip(&rest, "# run "))
        span_copy(p->pmu, sizeof(p->pmu), span_value(line, "pmu"));
    else if (span_skip(&rest, "# end "))
        p->ended = true;
}

/* A result of the outer level is the sum of a run that was just counted, or a run of a proof. */
static void read_line(struct progress *p, const char *text)
{
    struct line line = line_read((struct span){text, strlen(text)});
    if (line.kind == LINE_PLAN)
        read_plan(p, line.text, line.depth == 0);
    else if (line.kind == LINE_COMMENT)
        read_comment(p, line.text);
    else if (line.kind == LINE_RESULT && (line.depth > 0 || !p->run)) {
        p->count[line.outcome]++;
        p->results++;
    }
}

size_t progress_take(struct progress *p, const char *bytes, size_t size, const char **line)
{
    size_t taken = 0;
    *line = NULL;
    while (taken < size) {
        char c = bytes[taken++];
        if (c == '\n') {
            while (p->length > 0 && p->line[p->length - 1] == '\r')
                p->length--;
            p->line[p->length] = 0;
            p->length = 0;
            read_line(p, p->line);
            *line = p->line;
            return taken;
        }
        if (p->length < sizeof(p->line) - 1)
            p->line[p->length++] = c;
    }
    return taken;
}

bool progress_notable(const char *text)
{
    static const char *const comments[] = {"# fail ", "# error ", "# machine-check ", "# differs ", "# advice "};
    struct span ours = {text, strlen(text)};
    struct line line = line_read(ours);
    for (size_t i = 0; i < sizeof(comments) / sizeof(comments[0]); i++)
        if (line.kind == LINE_COMMENT && span_skip(&line.text, comments[i]))
            return true;
    return (line.kind == LINE_RESULT && !line_form[line.outcome].ok) || span_skip(&ours, "pmucheck: ");
}

void progress_bar(const struct progress *p, unsigned seconds, unsigned width, char *text, size_t size)
{
    static const char *const name[LOG_OUTCOMES] = {"ok", "fail", "known", "review", "skip", "error"};
    unsigned filled = p->plan ? (unsigned)((unsigned long)BAR * p->results / p->plan) : 0;
    size_t used = (size_t)snprintf(text, size, "[%-*.*s] %u/%u", BAR, (int)(filled < BAR ? filled : BAR),
                                   "########################", p->results, p->plan);
    if (p->run && used < size)
        used += (size_t)snprintf(text + used, size - used, " run %u/%u", p->run, p->runs);
    for (unsigned i = 0; i < LOG_OUTCOMES && used < size; i++)
        if (p->count[i])
            used += (size_t)snprintf(text + used, size - used, " %u %s", p->count[i], name[i]);
    if (used < size)
        snprintf(text + used, size - used, " %u s %s", seconds, p->test);
    if (strlen(text) > width)
        text[width] = 0;
}

/* The last word "machine=NAME" wins, as in the image. */
static const char *last_name(const char *options)
{
    static const char key[] = "machine=";
    const char *name = NULL;
    for (const char *word = options + strspn(options, " "); *word; word += strspn(word, " ")) {
        if (strncmp(word, key, strlen(key)) == 0)
            name = word + strlen(key);
        word += strcspn(word, " ");
    }
    return name;
}

size_t name_excess(const char *options)
{
    const char *name = last_name(options);
    size_t letters = 0;
    for (; name && *name && *name != ' '; name++)
        letters += *name == '"' || *name == '\\' ? 2 : 1;
    return letters > NAME_MOST ? letters - NAME_MOST : 0;
}
