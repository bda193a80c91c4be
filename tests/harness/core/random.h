/* SPDX-License-Identifier: BSD-2-Clause */
/* xorshift64*: any generator will do, as long as a seed always gives the same order. */
#pragma once

#include "boot/bits.h"

/* The generator's state for a seed. */
static inline u64 random_begin(u64 seed)
{
    u64 state = seed ^ 0x9e3779b97f4a7c15ull;
    return state ? state : 1;
}

static inline u64 random_next(u64 *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1dull;
}

/* One of 0 .. n - 1. */
static inline u32 random_below(u64 *state, u32 n)
{
    return (u32)((random_next(state) >> 32) % n);
}
