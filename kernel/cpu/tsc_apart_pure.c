/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/cpu/tsc_apart.h"

/* Both ways of a round take about as long, so the error is some percent of the bound; TSCs set by firmware are seconds
 * off. */
#define FAR 100

void tsc_apart_take(struct tsc_apart *best, struct tsc_round round)
{
    u64 half = (round.heard - round.asked) / 2;
    if (best->known && half >= best->bound)
        return;
    best->known = true;
    best->ticks = (s64)(round.answered - (round.asked + half));
    best->bound = half + 1;
}

static u64 size(s64 ticks)
{
    return ticks < 0 ? 0 - (u64)ticks : (u64)ticks;
}

bool tsc_apart_far(const struct tsc_apart *apart)
{
    return apart->known && size(apart->ticks) / FAR > apart->bound;
}

bool tsc_apart_alike(const struct tsc_apart *a, const struct tsc_apart *b)
{
    if (a->known != b->known || a->adjusts != b->adjusts || a->adjustment != b->adjustment)
        return false;
    if (!tsc_apart_far(a) && !tsc_apart_far(b))
        return true;
    return size((s64)((u64)a->ticks - (u64)b->ticks)) <= a->bound + b->bound;
}
