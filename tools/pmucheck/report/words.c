/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/report/words.h"

/* The end of the part behind "<". */
static const char *end_of_part(const char *at)
{
    for (unsigned depth = 1;; at++) {
        depth += *at == '<';
        depth -= *at == '>';
        if (!*at || !depth)
            return at;
    }
}

/* The value for "key|otherwise}", and *end behind it; NULL: the line has none. */
static const char *value_of(const struct log_record *record, const char *key, const char **end)
{
    char name[32];
    size_t length = strcspn(key, "|}");
    *end = strchr(key, '}') + 1;
    snprintf(name, sizeof(name), "%.*s", (int)length, key);
    return name[0] ? log_value(record, name) : record->subject;
}

/* Does the line have each field that the part itself asks for? */
static bool has_all(const struct log_record *record, const char *at, const char *end)
{
    for (; at < end; at++) {
        const char *behind, *value = *at == '{' ? value_of(record, at + 1, &behind) : "-";
        if (!value || !value[0])
            return false;
        if (*at == '<')
            at = end_of_part(at + 1);
    }
    return true;
}

/* "label=... got=..." */
static void put_fields(FILE *out, const struct log_record *record)
{
    for (unsigned i = 0; i < record->fields; i++)
        if (strcmp(record->field[i].key, "spec") != 0)
            fprintf(out, "%s%s=%s", i > 0 ? " " : "", record->field[i].key, record->field[i].value);
}

/* Writes up to `end`. */
static void put_part(FILE *out, const struct log_record *record, const char *at, const char *end)
{
    while (at < end) {
        if (*at == '<') {
            const char *part = at + 1;
            at = end_of_part(part);
            if (has_all(record, part, at))
                put_part(out, record, part, at);
            at++;
        } else if (strncmp(at, "{*}", 3) == 0) {
            put_fields(out, record);
            at += 3;
        } else if (*at == '{') {
            const char *bar = at + 1 + strcspn(at + 1, "|}"), *value = value_of(record, at + 1, &at);
            if (value)
                fputs(value, out);
            else
                fprintf(out, "%.*s", (int)(at - bar - 2), *bar == '|' ? bar + 1 : "?");
        } else {
            fputc(*at++, out);
        }
    }
}

void put_words(FILE *out, const struct log_record *record, const char *form)
{
    put_part(out, record, form, form + strlen(form));
}

void tell(FILE *out, const struct log_record *record, const struct telling *rows)
{
    for (; rows->kind; rows++)
        if (log_is(record, rows->kind) && (!rows->with || log_value(record, rows->with))) {
            put_words(out, record, rows->form);
            return;
        }
}
