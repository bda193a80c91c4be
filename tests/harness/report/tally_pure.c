#include "harness/report/tally.h"

void tally_add(struct tally *tally, u64 value)
{
    unsigned i = 0;
    tally->total++;
    while (i < tally->used && tally->value[i] != value)
        i++;
    if (i == TALLY_VALUES) {
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

static unsigned most_frequent(const struct tally *tally, unsigned except)
{
    unsigned best = TALLY_VALUES;
    for (unsigned i = 0; i < tally->used; i++)
        if (i != except && (best == TALLY_VALUES || tally->count[i] > tally->count[best]))
            best = i;
    return best;
}

unsigned tally_mode(const struct tally *tally)
{
    return most_frequent(tally, TALLY_VALUES);
}

u64 tally_second(const struct tally *tally)
{
    unsigned mode = tally_mode(tally);
    unsigned second = most_frequent(tally, mode);
    return second < TALLY_VALUES ? tally->value[second] : mode < TALLY_VALUES ? tally->value[mode] : 0;
}
