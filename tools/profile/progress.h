/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of reading a profile's text, shared by the files that know the order of its lines. */
#pragma once

#include "tools/profile/form.h"

enum { COMMON, SECTION_P, SECTION_E, SECTION_L, SECTIONS };

/* Names of the sections, "[p]", and of the kinds of core in them, "p". */
extern const char *const profile_sections[SECTIONS], *const profile_cores[SECTIONS];

/* The state after the lines read so far. */
struct progress {
    unsigned section;
    bool opened[SECTIONS];
    bool seen[SECTIONS][PROFILE_KEYS_MAX];
    unsigned leaves_before; /* leaves that were copied or common: later lines may replace them */
    bool renewed[LEAVES_MAX];
    struct profile common;
    profile_base *base;
    bool like[SECTIONS]; /* `like` was read, in the common part or in the section */
    bool further;        /* the line was already read for the first core */
    struct profile_reader reader;
};

/* ---- like.c ---- */

/* Read the rest of a line after the word `like`, and after `without`. */
bool profile_read_like(struct progress *p);
bool profile_read_without(struct progress *p);
/* Lets later lines replace each of the present leaves once. */
void profile_count_leaves(struct progress *p);
