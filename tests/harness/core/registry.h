/* SPDX-License-Identifier: BSD-2-Clause */
/* All tests of the image, sorted by id. Each test file leaves a pointer in the section "tests". */
#pragma once

#include "harness/core/form.h"

#define TESTS_MAX 512

struct registry {
    const struct test_declaration *test[TESTS_MAX];
    unsigned count;
};

#define REGISTRY_ERROR_SIZE 128
/*
 * Fills the registry from the pointers [first, end): sorted, each id once, and as many as `expected`, the number of
 * test files. False: the reason is in error (REGISTRY_ERROR_SIZE bytes). Pure.
 */
bool registry_fill(struct registry *registry, const struct test_declaration *const *first,
                   const struct test_declaration *const *end, unsigned expected, char *error);
