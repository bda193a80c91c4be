/* How many samples of what takes long are enough when time is short; with time, the harness decides. */
#pragma once

#include "harness/run/budget.h"

#define SAMPLES_QUICK 6
#define QUICK_REPEATS 20

/*
 * The body of repeat_clean() returns one of these: are more samples wanted after `taken`? `kinds` is for bodies that
 * take one of so many a repeat, each gets its turn. The functions with a pointer count *taken up, which starts at 0.
 */
static inline bool samples_lack(u32 taken, u32 kinds)
{
    return taken < (kinds > SAMPLES_QUICK ? kinds : SAMPLES_QUICK) || budget().repeats > QUICK_REPEATS;
}

static inline bool more_samples_of(u32 *taken, u32 kinds)
{
    return samples_lack(++*taken, kinds);
}

static inline bool more_samples(u32 *taken)
{
    return more_samples_of(taken, 1);
}
