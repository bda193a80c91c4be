/*
 * The text of a profile (pmu/reference/model/profiles/NAME.profile): one `key value # source` a line. Pure: reads text
 * into struct profile, and prints a profile as C.
 *
 * A comment line starts with #. Every value but the name says after a # where it is from, or that it is assumed. A
 * hybrid's file goes on with the sections [p], [e] and maybe [l], each on top of what stands before the first one. The
 * keys stand in the table of keys.c, how their values are written in form.c.
 *
 * `like NAME`, right behind the name, begins with all that another profile has; what follows is said of each of its
 * cores, in place of what that says, and `without KEY` takes a key's value away, `without event` its whole table of
 * events, `without leaf LL` a leaf with all its sub-leaves. `like NAME [e]` begins with one of its kinds of core; in a
 * section it stands first there, and each kind may be like one of another profile.
 *
 * Counters that leaf 0AH or 23H names are there, with the bits of theirs in the registers that have bits by counter;
 * and unless `any-thread` and `events` tell otherwise, leaf 0AH says what these would.
 */
#pragma once

#include "pmu/reference/model/profile.h"
#include <stddef.h>
#include <stdio.h>

#define PROFILE_TEXTS 4096
#define PROFILE_CORES 3

/* What one file says. The profiles' texts are in it: it must stay where it is while they are used. */
struct profile_file {
    unsigned cores; /* 1, or 2 or 3 in a hybrid's file */
    /* .second stays NULL: the code that prints or uses them joins them. */
    struct profile core[PROFILE_CORES];
    const struct profile *like[PROFILE_CORES]; /* what each core began with; NULL: with nothing */
    bool is_default;                           /* the profile that is taken where none is named */
    size_t texts_used;
    char texts[PROFILE_TEXTS];
};

/* The first thing that is wrong: its line, counted from 1 (0: the file as a whole), what is wrong, what is allowed. */
struct profile_error {
    unsigned line;
    char text[1024];
};

/* The profile of that name and its other cores, which must stay as long as what is read; NULL: there is none. */
typedef const struct profile *profile_base(const char *name);

/* False: *error says why, and *file holds nothing of use. `base` may be NULL: then no profile can be like another. */
bool profile_read(const char *text, size_t length, profile_base *base, struct profile_file *file,
                  struct profile_error *error);

/* Prints the definitions of the file's profiles; the C name of the first one is profile_NAME, dashes and dots become _.
 */
void profile_print(FILE *out, const struct profile_file *file);
void profile_print_c_name(FILE *out, const char *name);
