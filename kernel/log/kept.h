/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A log in memory that loaders leave alone and a warm reset preserves: whole lines, with a sum that is valid at every
 * moment. Pure.
 */
#pragma once

#include "boot/bits.h"

/* The layout of the block. */
struct kept {
    u64 magic;
    u64 state; /* length of the text in bits 63:32, its CRC-32 in bits 31:0: stored together */
    u64 ended; /* the END line was written: nothing to report at the next start */
    char text[];
};

/* Starts an empty log in a block of `size` bytes. */
void kept_begin(struct kept *kept, size_t size);
/* Adds whole lines. If there is no room, the older half of the text is dropped. */
void kept_add(struct kept *kept, size_t size, const char *text, size_t length);
/* Does the block hold a log, of a run that ended or not? */
bool kept_is(const struct kept *kept);
/* Length of the text of a run that has not ended; 0 if the block holds none. */
size_t kept_unfinished(const struct kept *kept, size_t size);
/* The end of a text: at most its last `most` characters, starting at the beginning of a line. */
const char *kept_tail(const char *text, size_t length, size_t most);
#define KEPT_NO_TEST "none"
/* Name of the test in the last "# begin NAME" line; KEPT_NO_TEST if there is none. `name` has `size` bytes. */
void kept_running(const char *text, size_t length, char *name, size_t size);
#define KEPT_STEP "# start " /* how a step's line begins */
/* Name of the step of the start that began last; empty if none did. `name` has `size` bytes. */
void kept_step(const char *text, size_t length, char *name, size_t size);
