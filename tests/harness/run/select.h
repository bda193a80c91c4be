/* SPDX-License-Identifier: BSD-2-Clause */
/* Which tests, in which order: the options run, skip, shuffle and the K/N of prove. Pure. */
#pragma once

#include "harness/core/registry.h"

struct selection {
    const struct test_declaration *test[TESTS_MAX];
    unsigned count;
};

#define SELECT_ERROR_SIZE 160
/*
 * The tests that match `run` (comma-separated globs, "" for all) and not `skip`, ordered by id. False with one line in
 * error if a glob matches no test, or no test is left.
 */
bool select_tests(const struct registry *registry, const char *run, const char *skip, struct selection *selection,
                  char *error);
/* Shuffles by a seed: equal seeds give equal orders. */
void select_shuffle(struct selection *selection, u64 seed);
#define PARTS_MOST 1000
/* Parses "K/N", 1 <= K <= N <= PARTS_MOST; "" is 1/1. False with one line in error. */
bool select_part(const char *text, u32 *part, u32 *parts, char *error);
