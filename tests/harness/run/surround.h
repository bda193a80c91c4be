/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs a test that has passed with nothing around it once more in each of several surroundings, and finds out what a
 * failure there needs. The option surroundings= seeds them.
 */
#pragma once

#include "harness/core/around.h"
#include "harness/core/results.h"

struct surrounded {
    struct test *test;
    struct results *results; /* of the first run; failures are added to them */
    struct results *again;   /* room for those of another */
    u32 us;                  /* for surroundings beyond the least number */
    /* Runs the test with this around it, into `again`, and puts everything back. False if it did not come to its end,
     * which has been told. */
    bool (*run)(void *argument, const struct surroundings *around);
    void *argument;
};

/* Is anything drawn for the test? Not after a failure: what fails needs nothing around it. */
bool surround_wanted(const struct test *test, const struct results *results);
void surround(const struct surrounded *s);
/* From now on each round of a soak has surroundings of its own: the option's seed and the number of the round. */
void surround_round(u32 round);
