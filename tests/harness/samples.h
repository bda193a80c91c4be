/* How many samples of what takes long are enough when time is short; with time, the harness decides. */
#pragma once

#include "harness/core/budget.h"
#include "harness/test.h"

#define SAMPLES_QUICK 6
#define SAMPLES_SLOW 25 /* of what takes many milliseconds each: what fails one time in nine is seen 19 times of 20 */
#define QUICK_REPEATS 20

/*
 * What a repeated body returns: are more samples wanted after this one? `kinds` is for bodies that take one of
 * `kinds` things a repeat: each gets its turn, and so does each of the test's cells.
 */
static inline bool more_samples_of(const struct test *t, u32 kinds)
{
    u32 least = kinds > t->cells ? kinds : t->cells;
    return t->turn + 1 < (least > SAMPLES_QUICK ? least : SAMPLES_QUICK) || budget().repeats > QUICK_REPEATS;
}

static inline bool more_samples(const struct test *t)
{
    return more_samples_of(t, 1);
}

/* The same for a body that is slow by its nature: sleeps, branch records looked at twice. */
static inline bool more_slow_samples(const struct test *t)
{
    return more_samples(t) && t->turn + 1 < SAMPLES_SLOW;
}
