/* How far a profile's text has been read: what the files share that know the order of its lines. */
#pragma once

#include "tools/profile/form.h"

enum { COMMON, SECTION_P, SECTION_E, SECTION_L, SECTIONS };

/* Names of the sections, "[p]", and of the kinds of core in them, "p". */
extern const char *const profile_sections[SECTIONS], *const profile_cores[SECTIONS];

/* What has been read so far. */
struct progress {
    unsigned section;
    bool opened[SECTIONS];
    bool seen[SECTIONS][PROFILE_KEYS_MAX];
    unsigned leaves_before; /* leaves of the common part: a section may say them anew */
    bool renewed[LEAVES_MAX];
    struct profile common;
    profile_base *base;
    bool like[SECTIONS]; /* another profile is under this one, or under its section */
    bool further;        /* the line was read for the first core already */
    struct profile_reader reader;
};

/* ---- like.c ---- */

/* What follows the word `like` in a line, and the word `without`. */
bool profile_read_like(struct progress *p);
bool profile_read_without(struct progress *p);
/* Leaves that stand there already may be said anew, once. */
void profile_count_leaves(struct progress *p);
