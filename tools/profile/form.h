/*
 * How values of a profile's text are written: each form can be read into a struct profile, and printed as its C
 * initialiser. Only the files of tools/profile/ share this.
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
    struct span rest; /* of the value, without its source */
    struct profile_error *error;
};

struct form {
    const char *looks; /* for error messages */
    bool (*read)(struct profile_reader *r, void *field);
    /* Prints ` .field = value,`; nothing if it is absent. */
    void (*print)(FILE *out, const struct key *key, const struct profile *profile);
};

struct key {
    const char *name; /* in the text; may contain a blank */
    const struct form *form;
    const char *field; /* in struct profile */
    size_t offset, size;
    uint64_t low, high; /* of a number */
    bool required;
};

/* One value, into one field. */
extern const struct form form_name, form_text, form_hex, form_number, form_yes, form_bits;
extern const struct form form_freeze, form_start_stop, form_words, form_rule, form_encodings;
/* Into several fields of the profile. */
extern const struct form form_leaf0a, form_gp, form_fixed, form_netburst, form_events, form_evtsel, form_pebs;
extern const struct form form_clock, form_skid, form_reload;
/* Beside the profile. */
extern const struct form form_default;

/* Says what is wrong with the line; the result is false. */
bool profile_wrong(struct profile_reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* A word in a message: %.*s */
#define SHOWN(word) (int)((word).length < 80 ? (word).length : 80), (word).text

/* ---- scan.c: words of a value. What cannot be read has said so with profile_wrong(). ---- */

/* Steps over 1 to 16 hexadecimal digits; false if there are none or more. */
bool profile_hex(struct span *span, uint64_t *value);
/* True if the word is `text`. */
bool profile_is(struct span word, const char *text);
/* The next word or one of , ; as a word, taken or only seen; length 0 at the end. */
struct span profile_word(struct profile_reader *r);
struct span profile_peek(struct profile_reader *r);
/* Takes the next word if it is `text`; else false, or wrong. */
bool profile_take(struct profile_reader *r, const char *text);
bool profile_expect(struct profile_reader *r, const char *text);
bool profile_not_allowed(struct profile_reader *r, struct span word);
bool profile_number(struct profile_reader *r, unsigned low, unsigned high, unsigned *value);
bool profile_read_hex(struct profile_reader *r, uint64_t *value);
/* Four hexadecimal words joined by dashes. */
bool profile_read_leaf(struct profile_reader *r, uint32_t value[4]);

/* Without the blanks around it. */
struct span profile_trimmed(const char *text, size_t length);
struct span profile_first_word(struct span line);
/* Splits `key value # source` at the first # after a blank. */
struct span profile_split_source(struct span line, struct span *source);
bool profile_plain(struct span line);
/* The length of `name` at the start of `line`, where one blank of the name stands for any number; 0: not there. */
size_t profile_key_length(struct span line, const char *name);

/* ---- parts.c ---- */

/* Parses indices and ranges of them into a bit mask: each has `prefix` before it and is below `most`. Ends before a
 * word that is neither. */
bool profile_indices(struct profile_reader *r, const char *prefix, unsigned most, uint64_t *bits);

/* ---- counters.c: what follows from leaves 0AH and 23H ---- */

/* The counters that they name and the profile does not have. */
void profile_add_counters(struct profile *profile);
/* Where leaf 0AH was said, and no line tells otherwise: does AnyThread count, which events do? */
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
/* The key that the line begins with, and its length there; NULL: none. */
const struct key *profile_key_of(struct span line, size_t *length);
