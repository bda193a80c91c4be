/* SPDX-License-Identifier: BSD-2-Clause */
/* The order in which counters side by side take one of four states, so that each state meets each other one. Pure. */
#pragma once

#include "boot/bits.h"

#define ORDER_STATES 4
#define ORDER_STEPS (ORDER_STATES * ORDER_STATES)

/* A place in the order: its state, 0 to 3, and how many places before it have the same state, 0 to 3. */
struct order_step {
    u8 state, before;
};

/*
 * The places in turn; after the last comes the first. Each state follows each state once, itself included. So if
 * counter i is at place (turn + i) mod 16, 16 turns bring each counter to each place, and each two neighbours into each
 * pair of states. Of all such orders this one brings counters that are further apart into the most pairs: at least 11.
 */
static inline struct order_step order_step(u32 n)
{
    static const struct order_step steps[ORDER_STEPS] = {
        {0, 0}, {0, 1}, {1, 0}, {0, 2}, {2, 0}, {2, 1}, {1, 1}, {3, 0},
        {3, 1}, {0, 3}, {3, 2}, {2, 2}, {3, 3}, {1, 2}, {1, 3}, {2, 3},
    };
    return steps[n % ORDER_STEPS];
}
