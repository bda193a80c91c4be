/* Slots and PERF_METRICS, which divides them, as the tests of topdown share them. All act on the calling CPU. */
#pragma once

#include "harness/provoke.h"

/* Skips the test unless PERF_METRICS and fixed counter 3, which it divides, are enumerated. */
void need_metrics(struct test *t);
/* The counter that counts slots. */
struct counter slots_counter(const struct test *t);
#define SLOTS_ON GLOBAL_FIXED(FIXED_TOPDOWN_SLOTS)

/* A value of the first level whose fields add up to the whole, as software may restore it: FFH stands for all slots. */
#define METRICS_WRITTEN 0x55402a40u
#define METRICS_WHOLE 0xff
/*
 * Slots to write before it. Not 0: hardware may keep each field as a part of the slots counted, and there is none of
 * nothing. Few, so that a block of METRICS_K iterations, which has more, moves every field.
 */
#define METRICS_SLOTS 0x400
#define METRICS_K 400
/* Is each field what `want` has, but for 1? A part of slots is rounded as it is written, and as it is read. */
bool metrics_near(u64 got, u64 want);
/* Checks that; a difference is told as those of check_equal() are. */
bool check_metrics(struct test *t, const char *label, u64 got, u64 want);
/* Puts the counter of slots and PERF_METRICS, in this order, to these values. The counter is then set up by `flags`. */
void metrics_setup(struct test *t, unsigned flags, u64 slots, u64 metrics);
