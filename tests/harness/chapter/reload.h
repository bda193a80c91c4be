/* Counters that an overflow reloads, of their own or of another: CFG_B and CFG_C, pmu/cpu/alias.h. */
#pragma once

#include "harness/test.h"

/* So many that a reload which is some hundred late still shows, and that none comes twice. */
#define RELOAD_PERIOD 4000
#define RELOAD_K 500 /* 6,006 instructions */

/*
 * Skips where CPUID.23H.2 names no counter that can be reloaded, or where of the counters `which` (GLOBAL_CTRL bits)
 * fewer than `least` count instructions exactly.
 */
void need_reload(struct test *t, u64 which, unsigned least);
/* The counters of `which` (GLOBAL_CTRL bits) that count instructions exactly, at most COUNTERS_MAX; count returned. */
unsigned exact_counters(const struct test *t, u64 which, struct counter list[COUNTERS_MAX]);
/*
 * Sets up a counter of instructions in the ring of the test's cell that overflows after `events`, and that each of
 * `causes` (GLOBAL_CTRL bits) reloads with -RELOAD_PERIOD when it overflows.
 */
void reload_setup(struct test *t, struct counter counter, u64 events, u64 causes);
/* Takes causes, control and value away again. */
void reload_clear(struct test *t, struct counter counter);
/*
 * Was the counter reloaded `since` instructions ago? It has then counted on from -RELOAD_PERIOD, at most as many, at
 * CPL 3 but for what the way there and back adds on one counter and not on another. How
 * many fewer is measured: no manual says how soon a reload takes effect.
 */
void check_reloaded(struct test *t, struct counter counter, u64 since);
/* What it has counted if it was reloaded once; far more if it was not. */
u64 counted_since_reload(struct counter counter);
