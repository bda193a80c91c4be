/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/log/line.h"

#define BAIL_OUT "Bail out! " /* what stopped a CPU that cannot run the image */

const struct line_form line_form[LOG_OUTCOMES + 1] = {
    [LOG_PASS] = {'p', true, ""},          [LOG_FAIL] = {'f', false, ""},
    [LOG_KNOWN] = {'k', true, " # XFAIL"}, [LOG_REVIEW] = {'r', false, " # REVIEW"},
    [LOG_SKIP] = {'s', true, " # SKIP"},   [LOG_ERROR] = {'e', false, " # ERROR"},
    [LOG_LOST] = {0, false, " # ERROR"},
};

enum log_outcome line_outcome(char letter)
{
    enum log_outcome outcome = LOG_PASS;
    while (outcome < LOG_OUTCOMES && line_form[outcome].letter != letter)
        outcome++;
    return outcome;
}

/* The outcome by "ok" or "not ok" and the directive, which is taken off the id; *reason: what follows it. */
static enum log_outcome outcome_of(bool ok, struct span *id, struct span *reason)
{
    for (const char *at = id->text, *end = at + id->length; (at = memchr(at, '#', (size_t)(end - at))); at++)
        for (enum log_outcome i = LOG_PASS; i < LOG_OUTCOMES; i++) {
            *reason = (struct span){at - 1, (size_t)(end - at) + 1};
            if (at == id->text || line_form[i].ok != ok || !line_form[i].directive[0] ||
                !span_skip(reason, line_form[i].directive))
                continue;
            span_skip(reason, " ");
            id->length = (size_t)(at - 1 - id->text);
            return i;
        }
    *reason = (struct span){"", 0};
    return ok ? LOG_PASS : LOG_FAIL;
}

static void read_result(struct line *line, bool ok)
{
    line->kind = LINE_RESULT;
    line->id = line->text;
    line->outcome = outcome_of(ok, &line->id, &line->reason);
    span_number(&line->id, &line->number);
    while (span_skip(&line->id, " "))
        ;
}

struct line line_read(struct span text)
{
    struct line line = {LINE_OTHER, .text = text};
    struct span comment;
    while (span_skip(&line.text, "  "))
        line.depth++;
    comment = line.text;
    if (span_skip(&comment, "# "))
        line.kind = LINE_COMMENT;
    else if (span_skip(&line.text, LINE_START))
        line.kind = LINE_OPENS;
    else if (span_skip(&line.text, "1.."))
        line.kind = LINE_PLAN;
    else if (span_skip(&line.text, "ok "))
        read_result(&line, true);
    else if (span_skip(&line.text, "not ok "))
        read_result(&line, false);
    else if (span_skip(&line.text, BAIL_OUT))
        line.kind = LINE_BAIL_OUT;
    return line;
}
