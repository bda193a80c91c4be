/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Turns a run of a real machine into a profile of the reference PMU: the log's values with their source, and marked
 * assumptions for values that no log has. Pure.
 */
#pragma once

#include "tools/pmucheck/log/facts.h"
#include <stdio.h>

/* NULL if a profile can be made from the run, else the reason. */
const char *profile_refusal(const struct facts *facts);
/* Writes the profile. `name`: lower-case letters, digits and dashes; `from`: the log's path, for a comment. */
void profile_make(FILE *out, const struct facts *facts, const char *name, const char *from);
/* Is this allowed as a profile's name? */
bool profile_name_fits(const char *name);

/* ---- Shared by its files ---- */

struct maker {
    FILE *out;
    const struct facts *facts;
    const struct facts_core *core;
};

/* "key   value   # source"; source NULL: none. */
void profile_line(const struct maker *m, const char *key, const char *source, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* "63:33 19", "none" */
const char *profile_mask(uint64_t mask, char text[FACTS_BITS]);
/* A register's value in a leaf, 0 without the leaf; FIELD_EAX to FIELD_EDX. */
uint32_t profile_leaf_value(const struct maker *m, uint32_t leaf, uint32_t subleaf, unsigned reg);
/* The GP counters of leaves 0AH and 23H; only of leaf 0AH if an older log lacks the other. */
uint32_t profile_gp_bitmap(const struct maker *m);
uint64_t profile_perfcap(const struct maker *m);
/* The value of a measurement for the core type, or `otherwise`. */
double profile_measured(const struct maker *m, const char *test, const char *name, const char *value, double otherwise);
/* registers.c: the rules for writing, from the bit matrices. */
void profile_registers(const struct maker *m);
/* Are writes to this counter above its width accepted and cut? */
bool profile_drops_upper(const struct maker *m, const char *name, unsigned width);
