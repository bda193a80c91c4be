/* SPDX-License-Identifier: BSD-2-Clause */
/* Slots, and PERF_METRICS, which divides them into parts, for the topdown tests. All act on the calling CPU. */
#pragma once

#include "harness/test.h"

/* The counter that counts slots. */
struct counter slots_counter(const struct test *t);
#define SLOTS_ON GLOBAL_FIXED(FIXED_TOPDOWN_SLOTS)

/* A value whose first-level fields add up to the whole (FFH stands for all slots), so that software may restore it. */
#define METRICS_WRITTEN 0x55402a40u
#define METRICS_WHOLE 0xff
/*
 * The number of slots to write before PERF_METRICS. Not 0: hardware may store each field as a part of the slots
 * counted, and 0 has none. Few, so that a block of METRICS_K iterations, which has more, changes every field.
 */
#define METRICS_SLOTS 0x400
#define METRICS_K 400
/* Is each field equal to the one of `want`, give or take 1? Parts of slots are rounded when written and when read. */
bool metrics_near(u64 got, u64 want);
/* Checks that; a difference is reported like those of check_equal(). */
bool check_metrics(struct test *t, const char *label, u64 got, u64 want);
/* Writes these values to the counter of slots and then to PERF_METRICS. The counter is then set up by `flags`. */
void metrics_setup(struct test *t, unsigned flags, u64 slots, u64 metrics);
