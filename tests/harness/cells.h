/* SPDX-License-Identifier: BSD-2-Clause */
/* The cells that a test's repeats go through, and the counter of each repeat. */
#pragma once

#include "harness/test.h"

/* Does it count retired instructions or branches, so that its value is exact? Cycles and slots are not exact. */
bool counts_exactly(struct counter counter);
/*
 * Does it count in any code that is long enough? Fixed counters 4 and 5 do not: they count slots lost to bad
 * speculation and to the front end, which need not occur.
 */
bool counts_anything(struct counter counter);

/*
 * One counter per repeat: all of them in turn, and after some rounds only those that count exactly, because the blocks
 * of the others are long. If the test's cells have an axis of counters, the cell's counter.
 */
struct counter next_counter(const struct test *t);

/*
 * For a test that goes through its cells by itself, unlike the repeats of count_slope(): `turn` from 0 on; false if
 * there are no more. Afterwards the test is in no cell.
 */
bool next_cell(struct test *t, u32 turn);
#define for_each_cell(t) for (u32 turn_of_cell = 0; next_cell(t, turn_of_cell); turn_of_cell++)

/* How many of these turns each CPU makes: all, but where many CPUs share them (struct budget.share). */
u32 own_share(u32 turns);
/*
 * The turns of this CPU out of 0 .. turns - 1, for a test that runs once: all of them, or one after so many where the
 * CPUs share them; and with something around it a few, which the drawing chooses.
 */
struct own_turns {
    u32 first, step;
};
struct own_turns own_turns(const struct test *t, u32 turns);
#define for_each_own_turn(t, turn, turns)                                                            \
    for (struct own_turns own_##turn = own_turns(t, turns), *once_##turn = &own_##turn; once_##turn; \
         once_##turn = NULL)                                                                         \
        for (u32 turn = own_##turn.first; turn < (turns); turn += own_##turn.step)

/* For the judging protocol: counts the test's cells, 0 if it declares none; and enters the cell whose turn it is. */
void cells_begin(struct test *t);
void cell_enter(struct test *t);
