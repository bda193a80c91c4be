#include "tools/pmucheck/run/progress.h"
#include "tools/span.h"
#include <stdio.h>
#include <string.h>

#define BAR 24

static bool starts(const char *line, const char *prefix)
{
    return strncmp(line, prefix, strlen(prefix)) == 0;
}

static void read_plan(struct progress *p, const char *digits, bool outer)
{
    struct span span = {digits, strlen(digits)};
    unsigned number = 0;
    if (!span_number(&span, &number))
        return;
    p->plan = number;
    p->results = 0;
    if (outer)
        p->runs = number; /* until it turns out that it has tests of its own */
    else if (p->run < p->runs)
        p->run++;
}

static void read_result(struct progress *p, const char *line, bool ok)
{
    enum log_outcome outcome = ok ? LOG_PASS : LOG_FAIL;
    if (strstr(line, " # SKIP"))
        outcome = LOG_SKIP;
    else if (strstr(line, " # XFAIL"))
        outcome = LOG_KNOWN;
    else if (strstr(line, " # REVIEW"))
        outcome = LOG_REVIEW;
    else if (strstr(line, " # ERROR"))
        outcome = LOG_ERROR;
    p->count[outcome]++;
    p->results++;
}

/* A result of the outer level sums up a run that has just been counted, or is one of a proof's. */
static void read_line(struct progress *p, const char *line)
{
    bool inner = *line == ' ';
    line += strspn(line, " ");
    if (starts(line, "1.."))
        read_plan(p, line + 3, !inner);
    else if (starts(line, "# begin "))
        snprintf(p->test, sizeof(p->test), "%.90s", line + 8);
    else if (starts(line, "# run pmu="))
        snprintf(p->pmu, sizeof(p->pmu), "%.*s", (int)strcspn(line + 10, " "), line + 10);
    else if (starts(line, "# end "))
        p->ended = true;
    else if ((starts(line, "ok ") || starts(line, "not ok ")) && (inner || !p->run))
        read_result(p, line, *line == 'o');
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

bool progress_notable(const char *line)
{
    line += strspn(line, " ");
    return starts(line, "not ok ") || starts(line, "# fail ") || starts(line, "# error ") ||
           starts(line, "# machine-check ") || starts(line, "# differs ") || starts(line, "# advice ") ||
           starts(line, "pmucheck: ");
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
