/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One log, as terminal programs, console servers, archives and mail leave it. Each form must be read as the log itself:
 * the same verdict, the same results, all proven by the check sums, and no problem; or the problem must be named.
 */
#include "host/tools/log_rig.h"
#include <stdlib.h>

#define RESULTS 40
#define BLOCK 12 /* lines between sync lines */

/* ---- The log: it fails, and has lines of more than 80 columns, and a level within another */

static unsigned since;

static void put_line(const char *text)
{
    made_line(text);
    if (++since % BLOCK == 0)
        made_sync();
}

static void put_results(const char *indent)
{
    char line[200];
    for (unsigned i = 1; i <= RESULTS / 2; i++) {
        snprintf(line, sizeof(line), "%s# begin area.test-%u", indent, i);
        put_line(line);
        snprintf(
            line, sizeof(line),
            "%s# measure area.test-%u name=skid cpus=0-3 unit=events n=%u min=1 median=2 p99=9 max=9 hist=1:1,2:%u",
            indent, i, 100 + i, i);
        put_line(line);
        snprintf(line, sizeof(line), "%s%s %u area.test-%u%s", indent, i == 7 ? "not ok" : "ok", i, i,
                 i == 9 ? " # SKIP no PEBS: <it> & \"this\" = 'that'" : "");
        put_line(line);
    }
}

static void the_log(void)
{
    char plan[20];
    made_clear();
    since = 0;
    made_noise("# pmucheck version=0.1.0 commit=1a2b3c4d5e6f-dirty sum=01234567");
    made_noise("# start screen");
    made_noise("# start tests");
    put_line("KTAP version 1");
    put_line("# pmucheck version=0.1.0 commit=1a2b3c4 log=1");
    put_line("1..2");
    for (unsigned run = 1; run <= 2; run++) {
        put_line("  KTAP version 1");
        put_line(run == 1 ? "  # run pmu=reference:one" : "  # run pmu=reference:two");
        snprintf(plan, sizeof(plan), "  1..%d", RESULTS / 2);
        put_line(plan);
        put_results("  ");
        put_line(run == 1 ? "not ok 1 reference:one" : "not ok 2 reference:two");
    }
    put_line("# image sum=01234567 state=unchanged");
    made_end("verdict=fail pass=36 fail=2 known=0 review=0 skip=2 error=0");
}

/* ---- What captures do: line by line */

typedef void line_change(FILE *out, const char *line, unsigned i, unsigned count);

#define UNUSED __attribute__((unused))
#define CHANGE(name) static void name(FILE *out, const char *line, unsigned i UNUSED, unsigned count UNUSED)
/* What is alike for all lines. */
#define EACH(name, form)               \
    CHANGE(name)                       \
    {                                  \
        fprintf(out, form "\n", line); \
    }

CHANGE(weekday_at_midnight)
{
    fprintf(out, "[%s 2026] %s\n", i < count / 2 ? "Sun Nov 29 23:59:59" : "Mon Nov 30 0:00:00", line);
}
CHANGE(months_end)
{
    fprintf(out, "%s host sol[%d]: %s\n", i < count / 2 ? "Nov 30 23:59:59" : "Dec  1 00:00:01", i % 50 ? 812 : 10345,
            line);
}
CHANGE(noon)
{
    fprintf(out, "[%s] %s\n", i < count / 2 ? "9:59:00 AM" : "12:00:00 PM", line);
}
CHANGE(seconds_grow)
{
    fprintf(out, "[%.3f +%.1f] %s\n", i * 9.1, i % 20 * 0.9, line);
}
CHANGE(left_aligned)
{
    fprintf(out, "%-6u%s\n", i * 7, line);
}
CHANGE(right_aligned)
{
    fprintf(out, "%6u\t%s\n", i * 7, line);
}
CHANGE(grep_numbers)
{
    fprintf(out, "sol.log:%u:%s\n", i, line);
}
EACH(quoted, "> > %s")
EACH(commented_out, "# %s")
EACH(set_in, "   %s")
EACH(xen, "(XEN) %s")
CHANGE(local_words)
{
    fprintf(out, "\xe4\xb8\x8b\xe5\x8d\x88 1:%02u %s\n", i % 60, line);
}
CHANGE(now_and_then)
{
    fprintf(out, i / 30 % 2 ? "%s\n" : "[12:00:00] %s\n", line);
}
CHANGE(with_noise)
{
    fprintf(out, "%s\n%s", line, i % 9 ? "" : "[   1.5] usb 1-1: # fail of not ok 3 x.y\nfoo ok 3 a.b\n");
}
CHANGE(waited_for)
{
    fprintf(out, "%s%s\n", i % 10 ? "" : "Wait for prompt ['# end verdict='] (timeout 00:10:00)\n", line);
}
EACH(coloured, "\033[0;32m%s\033[0m\033[K")
CHANGE(placed)
{
    fprintf(out, "\033[%u;1H%s", i % 24 + 1, line);
}
EACH(titled, "\033]0;lab\007\033]133;A\033\\\033_bk;t=1\007%s")
CHANGE(lf_cr)
{
    fprintf(out, "%s\n\r", line);
}
CHANGE(cr)
{
    fprintf(out, "%s\r", line);
}
CHANGE(cr_nul)
{
    fprintf(out, "%s\r%c", line, 0);
}
CHANGE(nul_anywhere)
{
    fprintf(out, "%c%.3s%c%c%s\r%c\n", 0, line, 0, 0x13, strlen(line) > 3 ? line + 3 : "", 0);
}
EACH(padded, "%-80s\r")
CHANGE(wrapped)
{
    fprintf(out, "%.80s\n%s%s", line, strlen(line) > 80 ? line + 80 : "", strlen(line) > 80 ? "\n" : "");
}
CHANGE(wrapped_and_padded)
{
    for (const char *at = line; at == line || strlen(at) > 0; at += strlen(at) < 60 ? strlen(at) : 60)
        fprintf(out, "%-60.60s\n", at);
}
CHANGE(wrapped_then_quoted)
{
    fprintf(out, "> %.78s\n", line);
    if (strlen(line) > 78)
        fprintf(out, "> %s\n", line + 78);
}
CHANGE(twice)
{
    fprintf(out, "%s\n%s\n", line, line);
}
EACH(framed, "| %-160s |")
EACH(with_its_cr_shown, "%s^M")
CHANGE(table_of_strings)
{
    fprintf(out, "%u,\"", i);
    for (; *line; line++)
        fprintf(out, *line == '"' ? "\"\"" : "%c", *line);
    fprintf(out, "\"\n");
}
CHANGE(table_with_few_quotes)
{
    if (strpbrk(line, "\","))
        table_of_strings(out, line, i, count);
    else
        fprintf(out, "%u,%s\n", i, line);
}
CHANGE(json_lines)
{
    fprintf(out, "{\"ts\": %u, \"line\": \"", i);
    for (; *line; line++)
        fprintf(out, *line == '"' || *line == '\\' ? "\\%c" : "%c", *line);
    fprintf(out, "\\r\\n\"}\n");
}
CHANGE(journal_with_bytes)
{
    if (i % 5)
        json_lines(out, line, i, count);
    else
        for (const char *c = line; c == line || c[-1]; c++)
            fprintf(out, c == line ? "{\"MESSAGE\" : [%u" : *c ? ",%u" : ",%u]}\n", *c ? *c : '\r');
}
CHANGE(quoted_printable)
{
    for (unsigned column = 0; *line; line++, column++) {
        fprintf(out, *line == '=' ? "=%02X" : "%c", *line);
        if (column % 60 == 59)
            fprintf(out, "=\n");
    }
    fprintf(out, "\n");
}
CHANGE(html)
{
    fprintf(out, i ? "" : "<html><body><pre>");
    for (; *line; line++)
        fprintf(out, *line == '<' ? "&lt;" : *line == '&' ? "&amp;" : *line == '\'' ? "&#x27;" : "%c", *line);
    fprintf(out, i + 1 < count ? "\n" : "</pre>\n");
}

/* ---- And byte by byte */

typedef void bytes_change(FILE *out, const char *text, size_t size);

#define BYTES(name) static void name(FILE *out, const char *text, size_t size)

static void put_parity(FILE *out, const char *text, size_t size, int odd)
{
    for (size_t i = 0; i < size; i++)
        fputc(__builtin_popcount((unsigned char)text[i]) % 2 != odd ? text[i] | 0x80 : text[i], out);
}
BYTES(even_parity)
{
    put_parity(out, text, size, 0);
}
BYTES(odd_parity)
{
    put_parity(out, text, size, 1);
}
static void put_utf16(FILE *out, const char *text, size_t size, bool big, const char *mark)
{
    fprintf(out, "%s", mark);
    for (size_t i = 0; i < size; i++)
        fprintf(out, "%c%c", big ? 0 : text[i], big ? text[i] : 0);
}
BYTES(utf16_little)
{
    put_utf16(out, text, size, false, "");
}
BYTES(utf16_big_marked)
{
    put_utf16(out, text, size, true, "\xfe\xff");
}
BYTES(utf8_marked)
{
    fprintf(out, "\xef\xbb\xbf%.*s", (int)size, text);
}
BYTES(gzipped)
{
    unsigned char packed[sizeof(made.text)];
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)text,
                  .avail_in = (unsigned)size,
                  .next_out = packed,
                  .avail_out = sizeof(packed)};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    fwrite(packed, 1, z.total_out, out);
    deflateEnd(&z);
}
BYTES(replayed)
{
    fprintf(out, "%.*s%s", (int)size, text, text + size / 2);
}
BYTES(followed)
{
    fprintf(out, "%.*sroot@lab:~# pmucheck report x\nok 1 selftests: net: foo\nnot ok 3 a.b\n1..4\n", (int)size, text);
}
static const char others[] = "KTAP version 1\n1..2\n  KTAP version 1\n  # Subtest: list\n  1..1\n  not ok 1 add\n"
                             "not ok 1 list\nok 2 selftests: net: foo.sh\n";
BYTES(before_others)
{
    fprintf(out, "%.*s%s", (int)size, text, others);
}
BYTES(after_others)
{
    fprintf(out, "%s%.*s", others, (int)size, text);
}
BYTES(recorded)
{
    fprintf(out, "{\"version\": 2, \"width\": 80, \"env\": {\"TERM\": \"xterm\"}}\n");
    for (size_t i = 0; i < size; i++) {
        if (i % 37 == 0)
            fprintf(out, "%s[%zu.1, \"o\", \"", i ? "\"]\n" : "", i);
        if (strchr("\r\n", text[i]))
            fprintf(out, text[i] == '\r' ? "\\r" : "\\n");
        else
            fprintf(out, strchr("\"\\", text[i]) ? "\\%c" : "%c", text[i]);
    }
    fprintf(out, "\"]\n");
}
BYTES(without_its_first_line)
{
    const char *first = strstr(text, "KTAP version 1");
    fprintf(out, "%.*s%.*s", (int)(first - text), text, (int)size, strchr(first, '\n') + 1);
}
BYTES(with_a_changed_first_line)
{
    const char *first = strstr(text, "KTAP version 1");
    fprintf(out, "%.*sKTAP versjon%.*s", (int)(first - text), text, (int)size, strstr(first, " 1"));
}
BYTES(with_a_blank_behind_its_first_line)
{
    const char *first = strstr(text, "KTAP version 1");
    fprintf(out, "%.*sKTAP version 1 %.*s", (int)(first - text), text, (int)size, strchr(first, '\r'));
}
BYTES(with_a_cut_second_line)
{
    const char *end = strstr(text, " log=1");
    fprintf(out, "%.*s%.*s", (int)(end - text), text, (int)size, end + 6);
}
BYTES(without_its_beginning)
{
    fprintf(out, "%s", text + size / 3);
}
BYTES(without_its_end)
{
    fprintf(out, "%.*s", (int)(size / 2), text);
}
BYTES(started)
{
    (void)size;
    fprintf(out, "%.*s", (int)(strstr(text, "KTAP") - text), text);
}
BYTES(of_another)
{
    (void)text, (void)size;
    fprintf(out, "[    0.000000] Linux version 6.1.0\nok 1 selftests: net: foo\nlogin: ");
}
BYTES(xz)
{
    (void)text, (void)size;
    fprintf(out,
            "\xfd"
            "7zXZ%cabc",
            0);
}

/* ---- All of them */

struct form {
    const char *name;
    line_change *line;
    bytes_change *bytes;
    const char *problem; /* the first one; NULL: the log is read as if nothing had been done to it */
    unsigned results;    /* that are read, if not all */
};

#define LINES(change)                  \
    {                                  \
#change, change, NULL, NULL, 0 \
    }
#define WHOLE(change)                  \
    {                                  \
#change, NULL, change, NULL, 0 \
    }
static const struct form forms[] = {
    LINES(weekday_at_midnight),
    LINES(months_end),
    LINES(noon),
    LINES(seconds_grow),
    LINES(left_aligned),
    LINES(right_aligned),
    LINES(grep_numbers),
    LINES(quoted),
    LINES(commented_out),
    LINES(set_in),
    LINES(xen),
    LINES(local_words),
    LINES(now_and_then),
    LINES(with_noise),
    LINES(waited_for),
    LINES(coloured),
    LINES(placed),
    LINES(titled),
    LINES(lf_cr),
    LINES(cr),
    LINES(cr_nul),
    LINES(nul_anywhere),
    LINES(padded),
    LINES(wrapped),
    LINES(wrapped_and_padded),
    LINES(wrapped_then_quoted),
    LINES(twice),
    LINES(framed),
    LINES(with_its_cr_shown),
    LINES(table_of_strings),
    LINES(table_with_few_quotes),
    LINES(json_lines),
    LINES(journal_with_bytes),
    LINES(quoted_printable),
    LINES(html),
    WHOLE(even_parity),
    WHOLE(odd_parity),
    WHOLE(utf16_little),
    WHOLE(utf16_big_marked),
    WHOLE(utf8_marked),
    WHOLE(gzipped),
    WHOLE(before_others),
    WHOLE(after_others),
    WHOLE(recorded),
    WHOLE(replayed),
    WHOLE(followed),
    WHOLE(with_a_blank_behind_its_first_line),
    {"no first line", NULL, without_its_first_line, "the line \"KTAP version 1\" is missing", 0},
    {"changed first line", NULL, with_a_changed_first_line, "the line \"KTAP version 1\" is missing", 0},
    {"cut second line", NULL, with_a_cut_second_line, "are damaged: their crc32 is", 38},
    {"no beginning", NULL, without_its_beginning, "the beginning of this log is lost", 29},
    {"no end", NULL, without_its_end, "results 1 to 2 of this log are lost", 18},
    {"start only", NULL, started, "the log ends here, in the step \"tests\" of the image's start", 1},
    {"another's", NULL, of_another, "no line \"KTAP version 1\" and no check sum", 1},
    {"packed", NULL, xz, "this is an xz file", 1},
};

static char *text;
static size_t text_size;

static void change_lines(FILE *out, line_change *change)
{
    unsigned count = 0, i = 0;
    for (const char *c = made.text; *c; c++)
        count += *c == '\n';
    char *copy = strdup(made.text), *rest;
    for (char *line = strtok_r(copy, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest))
        change(out, line, i++, count);
    free(copy);
}

static void make(const struct form *form)
{
    free(text);
    FILE *out = open_memstream(&text, &text_size);
    assert_non_null(out);
    the_log();
    if (form->line)
        change_lines(out, form->line);
    else
        form->bytes(out, made.text, strlen(made.text));
    fclose(out);
    log_free(&file);
    log_read(&file, form->name, text, text_size);
}

static unsigned certain_results(const struct log_boot *boot)
{
    unsigned count = 0;
    for (unsigned i = 0; i < boot->runs.count; i++)
        for (unsigned k = 0; k < boot->runs.item[i].results.count; k++) {
            const struct log_result *result = &boot->runs.item[i].results.item[k];
            count += !result->parent && result->outcome != LOG_LOST && result->trust == LOG_CHECKED;
        }
    return count;
}

static bool as_the_log(const struct form *form)
{
    const struct log_boot *only = boot(0);
    if (form->problem)
        return log_status(&file) == STATUS_ERROR && only->problems.count &&
               strstr(only->problems.item[0].text, form->problem) &&
               (form->results ? certain_results(only) <= form->results : certain_results(only) == RESULTS);
    return file.boots.count == 1 && log_status(&file) == STATUS_FAIL && !only->problems.count &&
           only->leaves[LOG_FAIL] == 2 && only->leaves[LOG_SKIP] == 2 && certain_results(only) == RESULTS &&
           strcmp(only->commit, "1a2b3c4") == 0;
}

CASE(each_form_is_read)
{
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        make(&forms[i]);
        if (as_the_log(&forms[i]))
            continue;
        wrong++;
        print_message("%s: %u starts, status %d, %u certain results; %s\n", forms[i].name, file.boots.count,
                      (int)log_status(&file), certain_results(boot(0)),
                      boot(0)->problems.count ? problem(0) : "no problem");
    }
    assert_int_equal(wrong, 0);
}

/* A log without its beginning never passes, and what is left of it is read. */
CASE(any_beginning_may_be_lost)
{
    the_log();
    const char *first = strstr(made.text, "KTAP version 1");
    for (const char *cut = first + 1; (cut = strstr(cut, "# sync ")); cut++) {
        log_free(&file);
        log_read(&file, "cut.log", cut, strlen(cut));
        assert_int_equal(log_status(&file), STATUS_ERROR);
        assert_int_equal(file.boots.count, 1);
        assert_string_equal(boot(0)->verdict, "fail");
        assert_non_null(strstr(problem(0), "the beginning of this log is lost"));
    }
}

/* The log says what the image said, not what became of the machine. */
CASE(no_word_about_the_machine_without_a_line_of_it)
{
    static const char *const words[] = {"hung", "crash", "died", "dead", "reset"};
    the_log();
    size_t size = strlen(made.text);
    for (size_t length = 0; length < size; length += 37) {
        log_free(&file);
        log_read(&file, "cut.log", made.text, length);
        assert_int_equal(log_status(&file), STATUS_ERROR);
        for (unsigned i = 0; i < boot(0)->problems.count; i++)
            for (size_t w = 0; w < sizeof(words) / sizeof(words[0]); w++)
                assert_null(strstr(problem(i), words[w]));
    }
}

int main(void)
{
    return run_cases();
}
