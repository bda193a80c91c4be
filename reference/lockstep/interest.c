/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interest guides chance: a walk in which the model called a rule in a situation that no walk before it had reached is
 * kept, and some later walks are variations of kept ones.
 */
#include "reference/lockstep/oracle.h"

#define VARIED_SHARE 3 /* one walk of so many is a variation */

void interest_learn(struct interest *interest, const struct walk *walk)
{
    bool news = false;
    for (u32 n = 0; n < MODEL_RULES_MOST; n++) {
        news |= interest->reached.in[n] & ~interest->seen[n];
        interest->seen[n] |= interest->reached.in[n];
        interest->reached.in[n] = 0;
    }
    if (news)
        interest->kept[interest->count++ % INTEREST_KEPT] = *walk;
}

void interest_draw(const struct interest *interest, const struct space *space, u64 seed, struct walk *walk)
{
    u32 kept = interest->count < INTEREST_KEPT ? interest->count : INTEREST_KEPT;
    if (!kept || seed % VARIED_SHARE) {
        walk_draw(space, seed, walk);
        return;
    }
    *walk = interest->kept[seed / VARIED_SHARE % kept];
    walk_vary(space, seed, walk);
}
