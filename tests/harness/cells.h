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

/* For the judging protocol: how many cells the test has, 0 if it declares none; and goes to the one whose turn it is.
 */
void cells_begin(struct test *t);
void cell_enter(struct test *t);
