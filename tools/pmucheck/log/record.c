/* A structured comment line taken apart: "# KIND SUBJECT key=value key="quoted value" ...". */
#include "tools/pmucheck/log/parse.h"
#include <stdlib.h>
#include <string.h>

/* Logs are 7-bit text; what is not was damaged, and no reader of XML or JSON would take it. */
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

static void skip_blanks(struct span *span)
{
    while (span_skip(span, " "))
        ;
}

/* Takes what stands before the next blank. */
static struct span take_word(struct span *span)
{
    struct span word = *span;
    const char *blank = memchr(span->text, ' ', span->length);
    word.length = blank ? (size_t)(blank - span->text) : span->length;
    span->text += word.length;
    span->length -= word.length;
    return word;
}

static const char *take_quoted(struct arena *arena, struct span *span)
{
    size_t room = span->length + 1;
    char *text = arena_alloc(arena, room);
    for (size_t length = span_quoted(span, text, room); length > 0; length--)
        text[length - 1] = printable(text[length - 1]);
    return text;
}

static const char *take_value(struct arena *arena, struct span *span)
{
    if (span->length > 0 && span->text[0] == '"')
        return take_quoted(arena, span);
    struct span word = take_word(span);
    return log_text(arena, word);
}

/* Does "key=" stand here? Then it is taken. */
static bool take_key(struct span *span, struct span *key)
{
    size_t length = 0;
    while (length < span->length && span->text[length] != ' ' && span->text[length] != '"') {
        if (span->text[length] == '=' && length > 0) {
            *key = (struct span){span->text, length};
            span->text += length + 1;
            span->length -= length + 1;
            return true;
        }
        length++;
    }
    return false;
}

static void add_field(struct arena *arena, struct log_record *record, unsigned *room, const char *key,
                      const char *value)
{
    record->field = arena_grow(arena, record->field, record->fields, room, sizeof(*record->field));
    record->field[record->fields++] = (struct log_field){key, value};
}

void log_record_read(struct log_reader *r, unsigned depth, struct span line)
{
    struct arena *arena = &r->file->arena;
    struct log_record *record = LIST_ADD(arena, &r->boot->records);
    struct span subject = {0}, key;
    unsigned room = 0;
    span_skip(&line, "# ");
    record->line = r->line;
    record->depth = depth;
    record->text = log_text(arena, line);
    struct span kind = take_word(&line);
    record->kind = log_text(arena, kind);
    for (skip_blanks(&line); line.length > 0; skip_blanks(&line)) {
        if (take_key(&line, &key)) {
            const char *name = log_text(arena, key);
            add_field(arena, record, &room, name, take_value(arena, &line));
        } else if (line.text[0] == '"') {
            add_field(arena, record, &room, "text", take_quoted(arena, &line));
        } else {
            struct span word = take_word(&line);
            if (record->fields == 0)
                subject = (struct span){subject.text ? subject.text : word.text,
                                        (size_t)(word.text - (subject.text ? subject.text : word.text)) + word.length};
        }
    }
    record->subject = subject.text ? log_text(arena, subject) : "";
}

const char *log_value(const struct log_record *record, const char *key)
{
    for (unsigned i = 0; record && i < record->fields; i++)
        if (strcmp(record->field[i].key, key) == 0)
            return record->field[i].value;
    return NULL;
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
