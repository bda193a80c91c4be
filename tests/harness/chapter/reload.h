/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters that are reloaded at an overflow, their own or another counter's: CFG_B and CFG_C, pmu/cpu/counters.h. */
#pragma once

#include "harness/test.h"

/* So long that a reload that comes some hundred instructions late is still seen, and that none happens twice. */
#define RELOAD_PERIOD 4000
#define RELOAD_K 500 /* 6,006 instructions */

/*
 * Skips the test if CPUID.23H.2 enumerates no counter that can be reloaded, or if fewer than `least` of the counters in
 * `which` (GLOBAL_CTRL bits) count instructions exactly.
 */
void need_reload(struct test *t, u64 which, unsigned least);
/* Stores the counters in `which` (GLOBAL_CTRL bits) that count instructions exactly; returns how many. */
unsigned exact_counters(const struct test *t, u64 which, struct counter list[COUNTERS_MAX]);
/*
 * Sets up a counter of instructions, in the ring of the test's cell, that overflows after `events`; an overflow of any
 * counter in `causes` (GLOBAL_CTRL bits) reloads it with -RELOAD_PERIOD. Clears the bits of STATUS of all counters.
 */
void reload_setup(struct test *t, struct counter counter, u64 events, u64 causes);
/* Clears the counter's causes, control and value. */
void reload_clear(struct test *t, struct counter counter);
/*
 * Was the counter reloaded `since` instructions ago? Then it has counted from -RELOAD_PERIOD, and no more than that
 * number; at CPL 3 the transitions may add a few on one counter and not on another. How many fewer it counted is
 * measured: no manual says how soon a reload takes effect.
 */
void check_reloaded(struct test *t, struct counter counter, u64 since);
/* The events since a reload, if there was one; a far larger number otherwise. */
u64 counted_since_reload(struct counter counter);
