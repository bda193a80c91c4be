/* SPDX-License-Identifier: BSD-2-Clause */
/* A summary of the log's lines, collected while they are written. */
#include "harness/report/summary.h"
#include "kernel/log/log.h"
#include "kernel/qr/qr.h"
#include "kernel/text/text.h"

#define SHORT_LOG 14000
#define LAST_LINE 40

/* Which lines the short log has, and how many bytes of each kind: lines beyond that are left out, and counted. */
static const struct {
    const char *begins;
    size_t most;
} kinds[] = {
    {"KTAP version 1", 1000},
    {"# pmucheck ", 200},
    {"# date ", 100},
    {"# machine ", 700},
    {"# cpu ", 3000},
    {"# run ", 1500},
    {"# core-type ", 4000},
    {"# platform ", 300},
    {"# capabilities ", 400},
    {"# fingerprint ", 600},
    {"# fail ", 2000},
    {"# error ", 600},
    {"# stray-pmi ", 300},
    {"# pmi-storm ", 300},
    {"# machine-check ", 600},
    {"# foreign-nmi ", 200},
    {"# stray ", 300},
    {"not ok 1 start ", 400},
    {"# handback ", 200},
    {"# outcomes ", 3000},
    {"# result ", 200},
    {"# lockstep again=", 1000},
    {"# lockstep erratum=", 300},
    {"# lockstep choice=", 400},
};

static struct {
    struct result_code code;
    char text[SHORT_LOG + LAST_LINE];
    size_t length, used[ARRAY_SIZE(kinds)];
    unsigned left_out;
} state;

static void keep(unsigned kind, const char *line, size_t length)
{
    if (state.used[kind] + length > kinds[kind].most || state.length + length + 1 > SHORT_LOG) {
        state.left_out++;
        return;
    }
    memcpy(state.text + state.length, line, length);
    state.length += length;
    state.text[state.length++] = '\n';
    state.used[kind] += length;
}

/* Without indentation: the order of the lines shows which run they belong to. */
static void listen_line(const char *line, size_t length)
{
    result_code_line(&state.code, line, length);
    while (length && *line == ' ') {
        line++;
        length--;
    }
    while (length && (line[length - 1] == '\n' || line[length - 1] == '\r'))
        length--;
    for (unsigned kind = 0; kind < ARRAY_SIZE(kinds); kind++)
        if (length >= strlen(kinds[kind].begins) && !memcmp(line, kinds[kind].begins, strlen(kinds[kind].begins))) {
            keep(kind, line, length);
        }
}

/* Takes whole lines; several at once if they were written before. */
static void listen(const char *text, size_t length)
{
    while (length) {
        size_t line = 0;
        while (line < length && text[line] != '\n')
            line++;
        line += line < length;
        listen_line(text, line);
        text += line;
        length -= line;
    }
}

void summary_start(void)
{
    static struct sink sink = {.write = listen};
    log_add_sink(&sink);
    result_code_start(&state.code);
    memset(state.used, 0, sizeof(state.used));
    state.length = state.left_out = 0;
}

const char *summary_code(const char *totals)
{
    static char text[RESULT_CODE_SIZE];
    struct result_code whole = state.code;
    char line[256];
    format_text(line, sizeof(line), "# result %s code=", totals);
    result_code_line(&whole, line, strlen(line));
    return result_code_text(&whole, text);
}

const struct qr_series *summary_results(void)
{
    static struct qr_series series;
    if (state.left_out)
        state.length +=
            (size_t)format_text(state.text + state.length, LAST_LINE, "# left-out lines=%u\n", state.left_out);
    return qr_series_make(&series, QR_SERIES_RESULTS, state.text, state.length) ? &series : NULL;
}

/* Lines that can be left out if there is little room, the least informative first. Outcomes and machine stay. */
static const char *const least[] = {"# fingerprint ", "# platform ",      "# capabilities ", "# lockstep ",
                                    "# handback ",    "# pmi-storm ",     "# stray-pmi ",    "# stray ",
                                    "# foreign-nmi ", "# machine-check ", "# fail ",         "# error "};
#define LEAST_LAST 10 /* from here on not all lines of a kind are dropped at once, but the last one */

static bool begins(const char *line, const char *with)
{
    return !strncmp(line, with, strlen(with));
}

/* Takes the last line of this kind out of a text; false if it has none. */
static bool take_out(char *text, size_t *length, const char *kind)
{
    size_t found = *length;
    for (size_t at = 0; at < *length; at++)
        if ((!at || text[at - 1] == '\n') && begins(text + at, kind))
            found = at;
    if (found == *length)
        return false;
    size_t end = found;
    while (end < *length && text[end] != '\n')
        end++;
    end += end < *length;
    memmove(text + found, text + end, *length - end);
    *length -= end - found;
    return true;
}

/* Leaves out the next lines; returns their number, 0 if all that is left is needed. */
static unsigned leave_out(char *text, size_t *length, unsigned *kind)
{
    unsigned lines = 0;
    for (; !lines && *kind < ARRAY_SIZE(least); *kind += !lines)
        while (take_out(text, length, least[*kind])) {
            lines++;
            if (*kind >= LEAST_LAST)
                break;
        }
    return lines;
}

/* Both can be looked up by the test's id. */
static void take_out_field(char *text, size_t *length, size_t line, const char *field)
{
    size_t end = line, at = line;
    while (end < *length && text[end] != '\n')
        end++;
    while (at < end && strncmp(text + at, field, strlen(field)))
        at++;
    if (at == end)
        return;
    size_t behind = at + strlen(field);
    while (behind < end && text[behind] != '"')
        behind += 1 + (text[behind] == '\\');
    behind = behind < end ? behind + 1 : end;
    memmove(text + at, text + behind, *length - behind);
    *length -= behind - at;
}

/* Failures without the words that say which promise it was: better than fewer failures. */
static void shorten(char *text, size_t *length)
{
    text[*length] = 0;
    for (size_t at = 0; at < *length; at++)
        if ((!at || text[at - 1] == '\n') && begins(text + at, "# fail ")) {
            take_out_field(text, length, at, " title=\"");
            take_out_field(text, length, at, " spec=\"");
            text[*length] = 0;
        }
}

/* Makes the series from the short log, with less and less of it until it fits. False: even the least does not. */
static bool make_fitting(struct qr_series *series, bool (*fits)(const struct qr_series *series, void *room), void *room)
{
    static char text[SHORT_LOG + LAST_LINE + 1];
    size_t length = state.length;
    unsigned left_out = state.left_out, kind = 0, lines = 1;
    memcpy(text, state.text, length);
    for (bool shortened = false; lines; shortened = true) {
        size_t end = length;
        if (left_out)
            end += (size_t)format_text(text + length, LAST_LINE, "# left-out lines=%u\n", left_out);
        if (qr_series_make(series, QR_SERIES_RESULTS, text, end) && fits(series, room))
            return true;
        if (!shortened)
            shorten(text, &length);
        else
            left_out += lines = leave_out(text, &length, &kind);
    }
    return false;
}

struct bytes {
    u8 *to;
    size_t most, used;
};

static bool fits_bytes(const struct qr_series *series, void *room)
{
    struct bytes *bytes = room;
    bytes->used = qr_series_bytes(series, bytes->to, bytes->most);
    return bytes->used;
}

size_t summary_bytes(u8 *out, size_t most)
{
    static struct qr_series series;
    struct bytes bytes = {.to = out, .most = most};
    return make_fitting(&series, fits_bytes, &bytes) ? bytes.used : 0;
}

struct codes {
    unsigned characters, most;
};

static bool fits_codes(const struct qr_series *series, void *room)
{
    const struct codes *codes = room;
    unsigned parts = qr_series_parts(series, codes->characters);
    return parts && parts <= codes->most;
}

const struct qr_series *summary_codes(unsigned characters, unsigned most)
{
    static struct qr_series series;
    struct codes codes = {characters, most};
    return characters && make_fitting(&series, fits_codes, &codes) ? &series : summary_results();
}
