/* How many samples a measurement takes: few when time is short, for a measurement judges nothing. */
#pragma once

#include "harness/budget.h"

#define SAMPLES_QUICK 6
#define QUICK_REPEATS 20

/* The body of a measurement's repeat_clean() returns this: *taken, which starts at 0, is counted up. */
static inline bool more_samples(u32 *taken)
{
    return ++*taken < SAMPLES_QUICK || budget().repeats > QUICK_REPEATS;
}
