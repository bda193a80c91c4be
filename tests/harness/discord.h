/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The first thing in a sequence of steps that is not as it must be. What comes after it may follow from it, so that
 * only the first is judged, once the whole sequence has been clean.
 */
#pragma once

#include "harness/test.h"

struct discord {
    const char *label; /* NULL: all is as it must be */
    u64 got, low, high, aspects;
    u32 msr;
};

/* Keeps it if `got` is not within its bounds, and if it is the first. */
void discord_note(struct discord *first, const struct discord *seen);
/* The same for a value that must be `want`. */
void discord_unless(struct discord *first, const char *label, u64 got, u64 want, u64 aspects, u32 msr);
/* As a check; one that holds if there is no discord, with the label `otherwise`. */
void check_no_discord(struct test *t, const struct discord *d, const char *otherwise);
