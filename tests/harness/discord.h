/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The first thing in a sequence of steps that is not as it must be. What comes after it may follow from it, so that
 * only the first is judged, once the whole sequence has been clean.
 */
#pragma once

#include "harness/test.h"

#define DISCORD_STEPS 6

struct discord {
    const char *label; /* NULL: all is as it must be */
    u64 got, low, high, aspects;
    u32 msr;
    u32 writes; /* up to it, and the last of them */
    struct {
        u32 msr;
        u64 value;
    } last[DISCORD_STEPS];
};

/* This was written. */
void discord_wrote(struct discord *first, u32 msr, u64 value);

/* Keeps it if `got` is not within the bounds, and if it is the first. */
void discord_range(struct discord *first, const char *label, u64 got, u64 low, u64 high, u64 aspects, u32 msr);
/* The same for a value that must be `want`. */
void discord_unless(struct discord *first, const char *label, u64 got, u64 want, u64 aspects, u32 msr);
/* As a check; one that holds if there is no discord, with the label `otherwise`. */
void check_no_discord(struct test *t, const struct discord *d, const char *otherwise);
/* The last writes before it, if there is one, each as a line of the log: "# steps TEST LABEL seed=3 write=21 ...". */
void discord_tell(struct test *t, const struct discord *d, u64 seed);
