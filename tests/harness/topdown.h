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
/* Puts the counter of slots and PERF_METRICS, in this order, to these values. The counter is then set up by `flags`. */
void metrics_setup(struct test *t, unsigned flags, u64 slots, u64 metrics);
