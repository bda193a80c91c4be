/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The text of a profile (reference/model/profiles/NAME.profile): one `key value # source` a line. Pure: reads text
 * into struct profile, and prints a profile as C.
 *
 * A comment line starts with #. After every value except the name a # tells where the value is from, or that it is
 * assumed. A hybrid's file goes on with the sections [p], [e] and optionally [l], each of which adds to the lines
 * before the first section. keys.c has the table of keys, form.c the forms of their values.
 *
 * `like NAME`, right after the name, copies another profile; the lines after it replace values in each of its cores.
 * `without KEY` removes a key's value, `without event` the whole table of events, `without leaf LL` a leaf with all its
 * sub-leaves. `like NAME [e]` copies one of the other's kinds of core. In a section `like` comes first, and each kind
 * may be like one of another profile.
 *
 * Counters that leaf 0AH or 23H names exist without further lines, with their bits in the registers that have a bit for
 * each counter. Without the keys `any-thread` and `events`, leaf 0AH sets their values.
 */
#pragma once

#include "reference/model/profile.h"
#include <stddef.h>
#include <stdio.h>

#define PROFILE_TEXTS 4096
#define PROFILE_CORES 3

/* The profiles of one file. It holds their texts, and so must not move while they are used. */
struct profile_file {
    unsigned cores; /* 1, or 2 or 3 in a hybrid's file */
    /* .second stays NULL: the code that prints or uses them joins them. */
    struct profile core[PROFILE_CORES];
    const struct profile *like[PROFILE_CORES]; /* the profile that each core is like; NULL: none */
    bool is_default;                           /* the profile that is used if none is named */
    size_t texts_used;
    char texts[PROFILE_TEXTS];
};

/* The first error: its line, counted from 1 (0: the file as a whole), and a message with the allowed values. */
struct profile_error {
    unsigned line;
    char text[1024];
};

/* Finds the profile of that name, with its other cores; they must live as long as the profiles that are read. NULL:
 * none. */
typedef const struct profile *profile_base(const char *name);

/* On failure returns false, *error says why, and *file is not usable. `base` may be NULL: then no profile can be like
 * another. */
bool profile_read(const char *text, size_t length, profile_base *base, struct profile_file *file,
                  struct profile_error *error);

/* Prints the definitions of the file's profiles; the first one's C name is profile_NAME, dashes and dots become _. */
void profile_print(FILE *out, const struct profile_file *file);
void profile_print_c_name(FILE *out, const char *name);
