/* SPDX-License-Identifier: BSD-2-Clause */
#include "hosting/monitor/guest/hidden.h"

#define PIECES 16

static struct {
    u64 base, end;
} pieces[PIECES];
static unsigned count;
static u64 lowest, highest; /* bounds of all pieces together */

bool hidden_add(u64 base, u64 end)
{
    if (count == PIECES)
        return false;
    lowest = !count || base < lowest ? base : lowest;
    highest = end > highest ? end : highest;
    pieces[count].base = base;
    pieces[count++].end = end;
    return true;
}

bool hidden_has(u64 physical)
{
    if (physical < lowest || physical >= highest)
        return false;
    for (unsigned i = 0; i < count; i++)
        if (physical >= pieces[i].base && physical < pieces[i].end)
            return true;
    return false;
}

void hidden_note(struct vcpu *v, u64 physical, bool store)
{
    v->stray.noted = true;
    v->stray.stores = store;
    v->stray.physical = physical;
}
