/* SPDX-License-Identifier: BSD-2-Clause */
/* A test's cells: whose turn it is, and the counter of each repeat. */
#include "harness/core/budget.h"
#include "harness/protocol.h"
#include "harness/test.h"

#define SLOW_TURNS 2 /* rounds in which counters of cycles have a turn too */

bool counts_exactly(struct counter counter)
{
    return !counter.fixed || counter.index == FIXED_INSTRUCTIONS;
}

/* In a block whose branches are all predicted these two need not move, however long the block is. */
bool counts_anything(struct counter counter)
{
    return !counter.fixed || (counter.index != FIXED_BAD_SPECULATION && counter.index != FIXED_FRONTEND_BOUND);
}

#define TURNS_AROUND 4 /* of a test that runs once, in each drawing */

struct own_turns own_turns(const struct test *t, u32 turns)
{
    u32 share = budget().share, parts = t->around ? turns / share / TURNS_AROUND : 1;
    u32 part = t->around ? around_turn(t->around, 1) % (parts ? parts : 1) : 0;
    return (struct own_turns){t->position % share + part * share, share * (parts ? parts : 1)};
}

/* The n-th repeat's turn. May be one too many at the end. */
static u32 own_turn(const struct test *t, u32 n)
{
    u32 share = budget().share;
    return n * share + t->position % share;
}

u32 own_share(u32 turns)
{
    u32 share = budget().share;
    return (turns + share - 1) / share;
}

static u32 chosen(const struct test *t, struct counter list[COUNTERS_MAX], bool (*choose)(struct counter counter))
{
    u32 n = 0;
    for_each_counter (t, c)
        if (choose(*c))
            list[n++] = *c;
    return n;
}

struct counter next_counter(const struct test *t)
{
    struct counter list[COUNTERS_MAX];
    if (t->declaration->cells & CELL_COUNTERS)
        return t->cell.counter;
    u32 n = chosen(t, list, counts_anything);
    if (own_turn(t, t->turn) >= SLOW_TURNS * n)
        n = chosen(t, list, counts_exactly);
    return list[own_turn(t, t->turn) % n];
}

void cells_begin(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned axes = t->declaration->cells;
    t->cells = axes ? own_share(cell_count(axes, chosen(t, list, counts_anything))) : 0;
}

void cell_enter(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    if (!t->cells)
        return;
    u32 n = chosen(t, list, t->turn < t->cells || t->around ? counts_anything : counts_exactly);
    t->cell = cell_of(t->declaration->cells, list, n, own_turn(t, t->turn));
}

bool next_cell(struct test *t, u32 turn)
{
    t->turn = turn;
    cells_begin(t);
    cell_enter(t);
    if (turn < t->cells)
        return true;
    t->cells = 0;
    t->cell = (struct cell){0};
    return false;
}
