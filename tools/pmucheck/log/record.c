/* SPDX-License-Identifier: BSD-2-Clause */
/* Parses a structured comment line: "# KIND SUBJECT key=value key="quoted value" ...". */
#include "tools/pmucheck/log/parse.h"
#include <stdlib.h>
#include <string.h>

/* Logs are 7-bit text; other characters are damage, and readers of XML or JSON would refuse them. */
static char printable(char c)
{
    return c >= ' ' && c <= '~' ? c : '?';
}

char *log_text(struct arena *arena, struct span span)
{
    char *text = arena_copy(arena, span.text, span.length);
    for (size_t i = 0; i < span.length; i++)
        text[i] = printable(text[i]);
    return text;
}

/* ---- A copy of the line is cut into its parts in place, by NULs after each part. */

/* Takes `length` characters, and overwrites the next one with NUL. */
static char *cut(char **at, char *end, size_t length)
{
    char *part = *at;
    *at += length;
    if (*at < end)
        *(*at)++ = 0;
    return part;
}

static size_t word_length(const char *at, const char *end)
{
    const char *blank = memchr(at, ' ', (size_t)(end - at));
    return (size_t)((blank ? blank : end) - at);
}

/* Removes quotes and backslashes in place; the text gets shorter. */
static const char *take_quoted(char **at, char *end)
{
    char *text = *at;
    struct span rest = {*at, (size_t)(end - *at)};
    span_quoted(&rest, text, rest.length + 1);
    *at = end - rest.length;
    return text;
}

static const char *take_value(char **at, char *end)
{
    return *at < end && **at == '"' ? take_quoted(at, end) : cut(at, end, word_length(*at, end));
}

/* The length of the key if "key=" stands here; else 0. */
static size_t key_length(const char *at, const char *end)
{
    for (const char *c = at; c < end && *c != ' ' && *c != '"'; c++)
        if (*c == '=' && c > at)
            return (size_t)(c - at);
    return 0;
}

static unsigned count_of(char c, struct span line)
{
    unsigned count = 0;
    for (const char *at = line.text, *end = at + line.length; (at = memchr(at, c, (size_t)(end - at))); at++)
        count++;
    return count;
}

/* The most fields of a line. */
static unsigned fields_most(struct span line)
{
    return count_of('=', line) + count_of('"', line);
}

static void add_field(struct log_record *record, const char *key, const char *value)
{
    record->field[record->fields++] = (struct log_field){key, value};
}

/* Parses the text after the kind: words, then fields. Words after the first field are ignored. */
static void read_fields(struct log_record *record, char *at, char *end)
{
    char *subject = NULL, *subject_end = NULL;
    while (at < end) {
        size_t length = key_length(at, end);
        if (*at == ' ') {
            at++;
        } else if (length) {
            const char *key = cut(&at, end, length);
            add_field(record, key, take_value(&at, end));
        } else if (*at == '"') {
            add_field(record, "text", take_quoted(&at, end));
        } else {
            subject = subject || record->fields ? subject : at;
            at += word_length(at, end);
            subject_end = record->fields ? subject_end : at;
        }
    }
    if (subject)
        *subject_end = 0;
    record->subject = subject ? subject : "";
}

void log_record_read(struct log_reader *r, unsigned depth, struct span line)
{
    struct arena *arena = &r->file->arena;
    struct log_record *record = LIST_ADD(arena, &r->boot->records);
    span_skip(&line, "# ");
    record->line = r->line;
    record->depth = depth;
    record->text = log_text(arena, line);
    record->field = arena_alloc(arena, fields_most(line) * sizeof(*record->field));
    char *at = arena_copy(arena, record->text, line.length), *end = at + line.length;
    record->kind = cut(&at, end, word_length(at, end));
    read_fields(record, at, end);
}

/* The first letters decide nearly always. */
const char *log_value(const struct log_record *record, const char *key)
{
    for (unsigned i = 0; record && i < record->fields; i++)
        if (record->field[i].key[0] == key[0] && strcmp(record->field[i].key, key) == 0)
            return record->field[i].value;
    return NULL;
}

const char *log_value_or(const struct log_record *record, const char *key, const char *otherwise)
{
    const char *value = log_value(record, key);
    return value ? value : otherwise;
}

const char *log_word(const struct log_record *record, const char *key)
{
    return log_value_or(record, key, "");
}

bool log_is_difference(const struct log_record *record)
{
    return log_is(record, "fail") || log_is(record, "differs");
}

static bool number_of(const char *text, int base, uint64_t *number)
{
    char *end;
    if (!text || strspn(text, "0123456789abcdefABCDEFx") != strlen(text) || !text[0])
        return false;
    uint64_t value = strtoull(text, &end, base);
    if (*end)
        return false;
    *number = value;
    return true;
}

bool log_number(const struct log_record *record, const char *key, uint64_t *number)
{
    const char *text = log_value(record, key);
    return number_of(text, text && strncmp(text, "0x", 2) == 0 ? 16 : 10, number);
}

bool log_hex(const struct log_record *record, const char *key, uint64_t *number)
{
    return number_of(log_value(record, key), 16, number);
}

uint64_t log_count(const struct log_record *record, const char *key)
{
    uint64_t count = 0;
    log_number(record, key, &count);
    return count;
}

const char *log_base_name(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path, *dot = strrchr(name, '.');
    size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    return arena_copy(arena, name, length);
}
