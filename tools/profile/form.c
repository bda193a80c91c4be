/* SPDX-License-Identifier: BSD-2-Clause */
/* Forms of a single value that is stored in a single field. */
#include "tools/profile/form.h"
#include <string.h>

void profile_store(void *field, size_t size, uint64_t value)
{
    memcpy(field, &value, size); /* little-endian, as all Intel CPUs are */
}

uint64_t profile_load(const void *field, size_t size)
{
    uint64_t value = 0;
    memcpy(&value, field, size);
    return value;
}

static bool keep_text(struct profile_reader *r, struct span text, const char **field)
{
    struct profile_file *file = r->file;
    if (text.length >= sizeof(file->texts) - file->texts_used)
        return profile_wrong(r, "the texts of a profile may have %d characters together", PROFILE_TEXTS);
    *field = file->texts + file->texts_used;
    span_copy(file->texts + file->texts_used, text.length + 1, text);
    file->texts_used += text.length + 1;
    return true;
}

/* ---- One value, one field ---- */

const void *profile_field(const struct key *key, const struct profile *profile)
{
    return (const char *)profile + key->offset;
}

static bool read_name(struct profile_reader *r, void *field)
{
    struct span word = profile_word(r);
    for (size_t i = 0; i < word.length; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789-.", word.text[i]))
            return profile_not_allowed(r, word);
    return word.length <= 40 ? keep_text(r, word, field) : profile_wrong(r, "a name has at most 40 characters");
}

/* Reads the rest of the line. */
static bool read_text(struct profile_reader *r, void *field)
{
    struct span text = r->rest;
    bool vendor = strcmp(r->key->name, "vendor") == 0;
    if (vendor ? text.length != 12 : text.length > 47)
        return profile_wrong(r, vendor ? "a vendor has 12 characters" : "a brand has at most 47 characters");
    if (memchr(text.text, '"', text.length) || memchr(text.text, '\\', text.length))
        return profile_wrong(r, "quotes and backslashes are not allowed in a text");
    r->rest.length = 0;
    return keep_text(r, text, field);
}

static void print_text(FILE *out, const struct key *key, const struct profile *profile)
{
    const char *text = *(const char *const *)profile_field(key, profile);
    if (text)
        fprintf(out, "    .%s = \"%s\",\n", key->field, text);
}

/* Reads names, and keeps them with one blank between two. */
static bool read_words(struct profile_reader *r, void *field)
{
    char text[1024];
    size_t used = 0;
    for (struct span word = profile_word(r); word.length; word = profile_word(r)) {
        for (size_t i = 0; i < word.length; i++)
            if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-", word.text[i]))
                return profile_not_allowed(r, word);
        if (word.length + 2 > sizeof(text) - used)
            return profile_wrong(r, "a list may have 1000 characters");
        memcpy(text + used, word.text, word.length);
        used += word.length;
        text[used++] = ' ';
    }
    return keep_text(r, (struct span){text, used - (used > 0)}, field);
}

static bool read_hex(struct profile_reader *r, void *field)
{
    uint64_t value;
    if (!profile_read_hex(r, &value))
        return false;
    if (r->key->size < 8 && value >> 8 * r->key->size)
        return profile_wrong(r, "more than %u bits", (unsigned)(8 * r->key->size));
    profile_store(field, r->key->size, value);
    return true;
}

void profile_print_number(FILE *out, const struct key *key, const struct profile *profile)
{
    uint64_t value = profile_load(profile_field(key, profile), key->size);
    if (value)
        fprintf(out, "    .%s = 0x%llx,\n", key->field, (unsigned long long)value);
}

static bool read_number(struct profile_reader *r, void *field)
{
    unsigned value;
    if (!profile_number(r, (unsigned)r->key->low, (unsigned)r->key->high, &value))
        return false;
    profile_store(field, r->key->size, value);
    return true;
}

static bool read_yes(struct profile_reader *r, void *field)
{
    bool yes = profile_take(r, "yes");
    if (!yes && !profile_take(r, "no"))
        return profile_not_allowed(r, profile_peek(r));
    *(bool *)field = yes;
    return true;
}

static bool read_default(struct profile_reader *r, void *field)
{
    (void)field;
    return read_yes(r, &r->file->is_default);
}

static void print_nothing(FILE *out, const struct key *key, const struct profile *profile)
{
    (void)out;
    (void)key;
    (void)profile;
}

bool profile_choice(struct profile_reader *r, const char *const *choices, unsigned count, unsigned *chosen)
{
    for (*chosen = 0; *chosen < count; ++*chosen)
        if (profile_take(r, choices[*chosen]))
            return true;
    return profile_not_allowed(r, profile_peek(r));
}

static bool read_freeze(struct profile_reader *r, void *field)
{
    static const char *const kinds[] = {
        [FREEZE_NONE] = "none", [FREEZE_LEGACY] = "legacy", [FREEZE_STREAMLINED] = "streamlined"};
    unsigned chosen;
    if (!profile_choice(r, kinds, ARRAY_SIZE(kinds), &chosen))
        return false;
    *(enum freeze_kind *)field = (enum freeze_kind)chosen;
    return true;
}

static bool read_start_stop(struct profile_reader *r, void *field)
{
    static const char *const kinds[] = {
        [COUNT_NEITHER] = "neither", [COUNT_START] = "start", [COUNT_STOP] = "stop", [COUNT_BOTH] = "both"};
    unsigned chosen;
    if (!profile_choice(r, kinds, ARRAY_SIZE(kinds), &chosen))
        return false;
    *(enum start_stop *)field = (enum start_stop)chosen;
    return true;
}

const struct form form_name = {"lower-case letters, digits, dashes, dots", read_name, print_text};
const struct form form_default = {"yes or no", read_default, print_nothing};
const struct form form_text = {"text", read_text, print_text};
/* `all`, or events such as c4, with any unit mask, and 01c0, with unit mask 01H. */
static bool read_encodings(struct profile_reader *r, void *field)
{
    uint32_t *rows = field;
    unsigned count = 0;
    memset(rows, 0, PEBS_EVENTS_MAX * sizeof(*rows));
    do {
        struct span word = profile_word(r), digits = word;
        uint64_t value = PEBS_EVERY_EVENT;
        if (count == PEBS_EVENTS_MAX)
            return profile_wrong(r, "more than %d events", PEBS_EVENTS_MAX);
        if (!profile_is(word, "all")) {
            if (!profile_hex(&digits, &value) || digits.length || (word.length != 2 && word.length != 4))
                return profile_not_allowed(r, word);
            value |= word.length == 2 ? PEBS_EVERY_UMASK : 0;
        }
        rows[count++] = (uint32_t)value;
    } while (profile_peek(r).length);
    return true;
}

static void print_encodings(FILE *out, const struct key *key, const struct profile *profile)
{
    const uint32_t *rows = profile_field(key, profile);
    if (!rows[0])
        return;
    fprintf(out, "    .%s = {", key->field);
    for (unsigned i = 0; i < PEBS_EVENTS_MAX && rows[i]; i++)
        fprintf(out, "%s0x%x", i ? ", " : "", rows[i]);
    fprintf(out, "},\n");
}

const struct form form_encodings = {"all, or events of 2 or 4 hexadecimal digits", read_encodings, print_encodings};
const struct form form_words = {"names of letters, digits and dashes", read_words, print_text};
const struct form form_hex = {"a hexadecimal number, lower-case", read_hex, profile_print_number};
const struct form form_number = {"a decimal number", read_number, profile_print_number};
const struct form form_yes = {"yes or no", read_yes, profile_print_number};
const struct form form_freeze = {"none, legacy, streamlined", read_freeze, profile_print_number};
const struct form form_start_stop = {"neither, start, stop, both", read_start_stop, profile_print_number};
