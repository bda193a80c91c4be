/*
 * Cycles that a block costs: noise only ever adds to them, so the quickest of many runs of either length is what the
 * CPU needs, and their difference what the longer one's additional work costs.
 */
#pragma once

#include "boot/bits.h"

struct fastest {
    u64 shorter, longer; /* 0: none yet */
};

static inline void fastest_add(u64 *fastest, u64 cycles)
{
    if (!*fastest || cycles < *fastest)
        *fastest = cycles;
}

/* 0 if the longer one was no slower. */
static inline u64 fastest_difference(const struct fastest *f)
{
    return f->longer > f->shorter ? f->longer - f->shorter : 0;
}
