/* SPDX-License-Identifier: BSD-2-Clause */
/* The most frequent of many values, in fixed memory: how the judging protocol summarises repeats. Pure. */
#pragma once

#include "boot/bits.h"

#define TALLY_VALUES 8

struct tally {
    u64 value[TALLY_VALUES];
    u32 count[TALLY_VALUES];
    u32 used, other, total; /* other: values without room */
    u64 least, most;        /* of all values */
};

void tally_add(struct tally *tally, u64 value);
/* Position of the most frequent value (of two equal ones the earlier); TALLY_VALUES if empty. */
unsigned tally_mode(const struct tally *tally);

/*
 * ---- A histogram of 64-bit samples in fixed memory: exact below 64, then eight buckets per power of two, so that a
 * quantile is never off by more than an eighth. Pure.
 */
#define HISTOGRAM_EXACT 64
#define HISTOGRAM_BUCKETS (HISTOGRAM_EXACT + (64 - 6) * 8)

struct histogram {
    u64 n, min, max;
    u32 bucket[HISTOGRAM_BUCKETS];
};

void histogram_clear(struct histogram *histogram);
void histogram_add(struct histogram *histogram, u64 sample);
/* Adds all samples of `from` to `into`. */
void histogram_merge(struct histogram *into, const struct histogram *from);
/* The lowest value of the bucket that holds the sample of rank n * permille / 1000, between min and max; 0 if empty. */
u64 histogram_quantile(const struct histogram *histogram, unsigned permille);
/* The smallest value that falls into `bucket`. */
u64 histogram_floor(unsigned bucket);
/*
 * Writes "value:count,value:count,..." for the buckets in use, at most `most` of them: if there are more, neighbours
 * are joined. Returns text (size bytes, at least 32); pairs that do not fit are left out at the end.
 */
const char *histogram_text(const struct histogram *histogram, unsigned most, char *text, size_t size);

/* ---- How often something failed per million repeats. Pure. */
/* Failures per million repeats; 0 without repeats. */
u64 rate_per_million(u64 failures, u64 repeats);
/* Without a failure: the rate that is excluded at 95 %, 3 / n, per million. Without repeats no rate is excluded. */
u64 rate_excluded(u64 repeats);
