/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes a log of format 1 from the short log in codes. In place of a line for each test it has the outcomes in "#
 * outcomes", in the order of the ids. Its other lines are unchanged lines of the image's log.
 */
#include "tools/pmucheck/log/line.h"
#include "tools/pmucheck/log/write.h"
#include "tools/pmucheck/scan/scan.h"
#include <stdlib.h>
#include <string.h>

#define HELD_MOST 200

struct writer {
    struct written_log log;
    struct span names;           /* ids, one on each line */
    struct span held[HELD_MOST]; /* lines about tests whose results are not yet written */
    unsigned helds;
    unsigned runs, nested; /* runs written; 1 if they are subtests */
    unsigned total[LOG_OUTCOMES];
    bool bad;           /* in the current run */
    struct span run;    /* its name */
    struct span result; /* the line from which the END line is made */
};

static void line_as_it_was(struct writer *w, struct span text)
{
    log_write_line(&w->log, "%.*s", (int)text.length, text.text);
}

/* ---- Results */

/* Is this line about that test: "# fail TEST ...", or "# lockstep ..." about the result of that name? */
static bool is_about(struct span text, struct span test)
{
    if (!span_skip(&text, "# fail ") && !span_skip(&text, "# error ") && !span_skip(&text, "# "))
        return false;
    return text.length > test.length && text.text[test.length] == ' ' && memcmp(text.text, test.text, test.length) == 0;
}

static bool about_some_test(struct span names, struct span text)
{
    struct span name;
    while (span_line(&names, &name))
        if (is_about(text, name))
            return true;
    return false;
}

static bool about_others(struct span also, struct span text)
{
    struct span id;
    enum log_outcome outcome;
    while (also_next(&also, &id, &outcome))
        if (is_about(text, id))
            return true;
    return false;
}

/* The text for a line's evidence=. */
static struct span in_words(struct span evidence)
{
    static const char never[] = "never seen passing on this class", sometimes[] = "not each time";
    bool none = evidence.length == 4 && memcmp(evidence.text, "none", evidence.length) == 0;
    return none ? (struct span){never, sizeof(never) - 1} : (struct span){sometimes, sizeof(sometimes) - 1};
}

/* The reason after a directive, from a line about the test, or the text that there is none. */
static struct span reason_of(const struct writer *w, struct span test)
{
    static const char *const keys[] = {"erratum", "reason", "evidence"};
    for (unsigned i = 0; i < w->helds; i++)
        for (size_t key = 0; key < sizeof(keys) / sizeof(keys[0]) && is_about(w->held[i], test); key++) {
            struct span value = span_value(w->held[i], keys[key]);
            if (value.length > 0 && value.text[0] == '"') {
                struct span rest = {value.text + 1, (size_t)(w->held[i].text + w->held[i].length - value.text) - 1};
                const char *quote = memchr(rest.text, '"', rest.length);
                return (struct span){rest.text, quote ? (size_t)(quote - rest.text) : rest.length};
            }
            if (value.length > 0)
                return strcmp(keys[key], "evidence") == 0 ? in_words(value) : value;
        }
    return (struct span){"the codes do not say why", 25};
}

static void write_result(struct writer *w, unsigned number, struct span test, enum log_outcome outcome)
{
    struct span reason = reason_of(w, test);
    for (unsigned i = 0; i < w->helds; i++)
        if (is_about(w->held[i], test))
            line_as_it_was(w, w->held[i]);
    const char *directive = line_form[outcome].directive;
    log_write_line(&w->log, "%sok %u %.*s%s%s%.*s", line_form[outcome].ok ? "" : "not ", number, (int)test.length,
                   test.text, directive, directive[0] ? " " : "", directive[0] ? (int)reason.length : 0, reason.text);
    w->total[outcome]++;
    w->bad |= !line_form[outcome].ok;
}

/* Takes "p12" from a list and returns the number; *outcome: LOG_LOST for tests that did not run. 0: the list's end. */
static unsigned take_some(struct span *list, enum log_outcome *outcome)
{
    unsigned count = 1;
    if (list->length == 0)
        return 0;
    *outcome = line_outcome(list->text[0]);
    span_step(list, 1);
    span_number(list, &count);
    return count;
}

static unsigned count_run(struct span list)
{
    unsigned all = 0, count;
    enum log_outcome outcome;
    while ((count = take_some(&list, &outcome)) > 0)
        all += outcome != LOG_LOST ? count : 0;
    return all;
}

static unsigned write_results(struct writer *w, struct span list)
{
    struct span names = w->names, name;
    unsigned number = 0, count;
    enum log_outcome outcome;
    while ((count = take_some(&list, &outcome)) > 0)
        while (count-- > 0) {
            if (!span_line(&names, &name))
                return number;
            if (outcome != LOG_LOST)
                write_result(w, ++number, name, outcome);
        }
    return number;
}

/* Results that are no tests have the numbers behind them. */
static void write_others(struct writer *w, struct span also, unsigned number)
{
    struct span id;
    enum log_outcome outcome;
    while (also_next(&also, &id, &outcome))
        write_result(w, ++number, id, outcome);
}

static unsigned count_others(struct span also)
{
    struct span id;
    enum log_outcome outcome;
    unsigned count = 0;
    while (also_next(&also, &id, &outcome))
        count++;
    return count;
}

/* ---- Runs */

static void end_run(struct writer *w)
{
    w->runs++;
    w->helds = 0;
    if (w->nested) {
        w->log.writer.indent = 0;
        log_write_line(&w->log, "%sok %u %.*s", w->bad ? "not " : "", w->runs, (int)w->run.length, w->run.text);
    }
    w->bad = false;
}

static void write_run(struct writer *w, struct span summary)
{
    struct span list = span_value(summary, "list"), also = span_value(summary, "also");
    log_write_line(&w->log, "1..%u", count_run(list) + count_others(also));
    for (unsigned i = 0; i < w->helds; i++)
        if (!about_some_test(w->names, w->held[i]) && !about_others(also, w->held[i]))
            line_as_it_was(w, w->held[i]);
    write_others(w, also, write_results(w, list));
    line_as_it_was(w, summary);
    end_run(w);
}

/* No test ran, and this line says why. */
static void write_refusal(struct writer *w, struct span text)
{
    log_write_line(&w->log, "1..1");
    line_as_it_was(w, text);
    w->total[LOG_ERROR]++;
    w->bad = true;
    end_run(w);
}

/* A second "KTAP version 1" begins the first of several runs. `rest`: the lines after it. */
static void begin_nested(struct writer *w, struct span rest)
{
    struct span text;
    unsigned runs = 1;
    if (!w->nested) {
        while (span_line(&rest, &text))
            runs += span_ends_with(text, LINE_START);
        log_write_line(&w->log, "1..%u", runs);
    }
    w->nested = 1;
    w->log.writer.indent = 1;
    log_write_line(&w->log, LINE_START);
}

/* A test that was repeated counts once here. */
static void write_end(struct writer *w, struct span result)
{
    struct span verdict = span_value(result, "verdict");
    char text[200];
    int length =
        snprintf(text, sizeof(text), "verdict=%.*s", verdict.length < 16 ? (int)verdict.length : 16, verdict.text);
    for (enum log_outcome i = LOG_PASS; i < LOG_OUTCOMES; i++) {
        unsigned told = 0;
        struct span total = span_value(result, log_outcome_name[i]);
        span_number(&total, &told);
        bool more = i == LOG_SKIP || i == LOG_ERROR; /* not all of them belong to a test */
        length += snprintf(text + length, sizeof(text) - (size_t)length, " %s=%u", log_outcome_name[i],
                           more && told > w->total[i] ? told : w->total[i]);
    }
    log_write_end(&w->log, text);
}

/* ---- Lines */

static bool starts(struct span text, const char *with)
{
    return span_skip(&text, with);
}

static void hold(struct writer *w, struct span text)
{
    if (w->helds < HELD_MOST)
        w->held[w->helds++] = text;
}

static void write_line(struct writer *w, struct span text, struct span rest, unsigned parts)
{
    if (starts(text, "KTAP ")) {
        if (w->log.writer.counting)
            begin_nested(w, rest);
        else
            log_write_start(&w->log);
    } else if (starts(text, "# fail ") || starts(text, "# error ") || starts(text, "# lockstep ") ||
               starts(text, "# fingerprint ") || starts(text, "# capabilities ")) {
        hold(w, text);
    } else if (starts(text, "not ok 1 start ")) {
        write_refusal(w, text);
    } else if (starts(text, "# outcomes ")) {
        write_run(w, text);
    } else {
        line_as_it_was(w, text);
        if (starts(text, "# pmucheck "))
            log_write_line(&w->log, parts ? "# scan codes=%u" : "# scan variable=efi", parts);
        if (starts(text, "# run "))
            w->run = span_value(text, "pmu");
        if (starts(text, "# result "))
            w->result = text;
    }
}

void scan_write(FILE *out, const char *results, const char *names, unsigned parts)
{
    struct writer w = {.names = {names, strlen(names)}};
    struct span rest = {results, strlen(results)}, text;
    log_write_begin(&w.log, out);
    while (span_line(&rest, &text))
        write_line(&w, text, rest, parts);
    if (w.result.text)
        write_end(&w, w.result);
}

bool scan_names_wanted(const char *results, uint32_t *sum)
{
    struct span rest = {results, strlen(results)}, text;
    char digits[9];
    while (span_line(&rest, &text)) {
        struct span ids = span_value(text, "ids");
        if (!starts(text, "# outcomes ") || ids.length != 8)
            continue;
        span_copy(digits, sizeof(digits), ids);
        *sum = (uint32_t)strtoul(digits, NULL, 16);
        return true;
    }
    return false;
}
