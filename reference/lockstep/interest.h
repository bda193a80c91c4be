/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interest guides chance: a walk in which the model called a rule in a situation that no walk before it had reached is
 * kept, and some later walks are variations of kept ones. Pure.
 */
#pragma once

#include "reference/lockstep/oracle.h"
#include "reference/lockstep/space.h"

#define INTEREST_KEPT 32 /* the last ones */

/* Of one CPU; begins as zeros. */
struct interest {
    struct model_reached reached; /* in the walk that is being retold */
    u16 seen[MODEL_RULES_MOST];   /* in all walks, by the rule's number: situations, as bits */
    u32 count;                    /* walks that were kept so far */
    struct walk kept[INTEREST_KEPT];
};

/* The walk has been retold: adds what it has reached, and keeps it if some of that is new. */
void interest_learn(struct interest *interest, const struct walk *walk);
/* Draws a walk, or varies a kept one. The same seed and the same kept walks give the same walk. */
void interest_draw(const struct interest *interest, const struct space *space, u64 seed, struct walk *walk);
