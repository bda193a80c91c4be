/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The forms of values in a profile's text: each can be read into a struct profile, and printed as its C initialiser.
 * Only for the files of tools/profile/.
 */
#pragma once

#include "tools/profile/text.h"
#include "tools/span.h"

struct key;

/* The line that is being read. */
struct profile_reader {
    struct profile_file *file;
    struct profile *profile; /* the core kind that the line is about */
    const struct key *key;
    struct span rest; /* the unread rest of the value, without its source */
    struct profile_error *error;
};

struct form {
    const char *looks; /* for error messages */
    bool (*read)(struct profile_reader *r, void *field);
    /* Prints ` .field = value,`; nothing if it is absent. */
    void (*print)(FILE *out, const struct key *key, const struct profile *profile);
};

struct key {
    const char *name; /* in the profile's text; may contain a blank */
    const struct form *form;
    const char *field; /* in struct profile */
    size_t offset, size;
    uint64_t low, high; /* the range of a number */
    bool required;
};

/* A single value for a single field. */
extern const struct form form_name, form_text, form_hex, form_number, form_yes, form_bits;
extern const struct form form_freeze, form_start_stop, form_words, form_rule, form_encodings;
/* Values for several fields of the profile. */
extern const struct form form_leaf0a, form_gp, form_fixed, form_netburst, form_events, form_evtsel, form_pebs;
extern const struct form form_clock, form_skid, form_reload;
/* A value for struct profile_file. */
extern const struct form form_default;

/* Stores the message about the line; returns false. */
bool profile_wrong(struct profile_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The arguments of %.*s for a word in a message. */
#define SHOWN(word) (int)((word).length < 80 ? (word).length : 80), (word).text

/* ---- scan.c: words of a value. On an error these call profile_wrong() and return false. ---- */

/* Steps over 1 to 16 hexadecimal digits; false if there are none or more. */
bool profile_hex(struct span *span, uint64_t *value);
/* True if the word is `text`. */
bool profile_is(struct span word, const char *text);
/* The next word, where , and ; are words; length 0 at the end. profile_word() takes it, profile_peek() does not. */
struct span profile_word(struct profile_reader *r);
struct span profile_peek(struct profile_reader *r);
/* Take the next word if it is `text`; else profile_take() returns false, and profile_expect() also stores a message. */
bool profile_take(struct profile_reader *r, const char *text);
bool profile_expect(struct profile_reader *r, const char *text);
bool profile_not_allowed(struct profile_reader *r, struct span word);
bool profile_number(struct profile_reader *r, unsigned low, unsigned high, unsigned *value);
bool profile_read_hex(struct profile_reader *r, uint64_t *value);
/* Four hexadecimal words joined by dashes. */
bool profile_read_leaf(struct profile_reader *r, uint32_t value[4]);

/* The text without the blanks around it. */
struct span profile_trimmed(const char *text, size_t length);
struct span profile_first_word(struct span line);
/* Splits `key value # source` at the first # after a blank. */
struct span profile_split_source(struct span line, struct span *source);
bool profile_plain(struct span line);
/* The length of `name` at the start of `line`, 0 if the line does not start with it. A blank of the name matches any
 * number. */
size_t profile_key_length(struct span line, const char *name);

/* ---- parts.c ---- */

/* Parses indices and ranges into a bit mask: each has `prefix` before it and is below `most`. Stops before any other
 * word. */
bool profile_indices(struct profile_reader *r, const char *prefix, unsigned most, uint64_t *bits);

/* ---- counters.c: what follows from leaves 0AH and 23H ---- */

/* Adds the counters that the leaves name and the profile lacks. */
void profile_add_counters(struct profile *profile);
/* Sets AnyThread and the events from leaf 0AH, for a file that gives leaf 0AH but not these keys. */
void profile_follow_any_thread(struct profile *profile);
void profile_follow_events(struct profile *profile);

/* ---- form.c ---- */

const void *profile_field(const struct key *key, const struct profile *profile);
void profile_print_number(FILE *out, const struct key *key, const struct profile *profile);
void profile_store(void *field, size_t size, uint64_t value);
uint64_t profile_load(const void *field, size_t size);
/* The index of the next word among `choices`. */
bool profile_choice(struct profile_reader *r, const char *const *choices, unsigned count, unsigned *chosen);

/* ---- keys.c ---- */

#define PROFILE_KEYS_MAX 96
extern const struct key profile_keys[];
extern const unsigned profile_key_count;
/* The key at the start of the line, and its length there; NULL: none. */
const struct key *profile_key_of(struct span line, size_t *length);
