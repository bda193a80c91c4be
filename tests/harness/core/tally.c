/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/tally.h"

void tally_add(struct tally *tally, u64 value)
{
    unsigned i = 0;
    tally->total++;
    while (i < tally->used && tally->value[i] != value)
        i++;
    if (i == TALLY_VALUES) {
        tally->least = tally->other && tally->least < value ? tally->least : value;
        tally->most = tally->other && tally->most > value ? tally->most : value;
        tally->other++;
        return;
    }
    if (i == tally->used) {
        tally->value[i] = value;
        tally->count[i] = 0;
        tally->used++;
    }
    tally->count[i]++;
}

unsigned tally_mode(const struct tally *tally)
{
    unsigned best = TALLY_VALUES;
    for (unsigned i = 0; i < tally->used; i++)
        if (best == TALLY_VALUES || tally->count[i] > tally->count[best])
            best = i;
    return best;
}
