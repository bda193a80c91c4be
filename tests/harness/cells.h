/* The cells that a test's repeats go through, and the counters whose turn it is. */
#pragma once

#include "harness/test.h"

/* Does it count retired instructions or branches, so that its value is exact? Cycles and slots are not. */
bool counts_exactly(struct counter counter);
/*
 * Does it count in any code that is long enough? Fixed counters 4 and 5 do not: they count slots lost to wrong
 * speculation and to the front end, of which there need be none.
 */
bool counts_anything(struct counter counter);

/*
 * One counter a repeat: all of them in turn, and after some turns only the exactly counting ones, because the others'
 * blocks are long. Where the test has cells along counters, that of the cell.
 */
struct counter next_counter(const struct test *t);

/*
 * For a test that goes through its cells by itself, as repeats of count_slope() do not: `turn` from 0 on; false if
 * there are no more. Afterwards it is in none.
 */
bool next_cell(struct test *t, u32 turn);
#define for_each_cell(t) for (u32 turn_of_cell = 0; next_cell(t, turn_of_cell); turn_of_cell++)

/* For the judging protocol: how many cells the test has, 0 if it declares none; and goes to the one whose turn it is.
 */
void cells_begin(struct test *t);
void cell_enter(struct test *t);
