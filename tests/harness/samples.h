/* How many samples a measurement takes: few when time is short, for a measurement judges nothing. */
#pragma once

#include "harness/budget.h"

#define SAMPLES_QUICK 6
#define QUICK_REPEATS 20

/*
 * The body of a measurement's repeat_clean() returns one of these: *taken, which starts at 0, is counted up. The second
 * is for bodies that take one of `kinds` a repeat: each gets its turn.
 */
static inline bool more_samples_of(u32 *taken, u32 kinds)
{
    u32 enough = kinds > SAMPLES_QUICK ? kinds : SAMPLES_QUICK;
    return ++*taken < enough || budget().repeats > QUICK_REPEATS;
}

static inline bool more_samples(u32 *taken)
{
    return more_samples_of(taken, 1);
}
