/*
 * A log in memory that loaders leave alone and a warm reset keeps: whole lines under a sum that holds at every moment.
 * Pure.
 */
#pragma once

#include "boot/bits.h"

/* What lies in the block. */
struct kept {
    u64 magic;
    u64 state; /* length of the text in bits 63:32, its CRC-32 in bits 31:0: they change together */
    u64 ended; /* the END line was written: there is nothing to tell */
    char text[];
};

/* Starts an empty log in a block of `size` bytes. */
void kept_begin(struct kept *kept, size_t size);
/* Adds whole lines. Where there is no room the older half goes. */
void kept_add(struct kept *kept, size_t size, const char *text, size_t length);
/* Length of the text of a run that has not ended; 0 if the block holds none. */
size_t kept_unfinished(const struct kept *kept, size_t size);
/* The last `most` characters of a text at most, from the beginning of a line on. */
const char *kept_tail(const char *text, size_t length, size_t most);
#define KEPT_NO_TEST "none"
/* Name of the test that began last, as "# begin NAME" tells; KEPT_NO_TEST if none did. `name` has `size` bytes. */
void kept_running(const char *text, size_t length, char *name, size_t size);
#define KEPT_STEP "# start " /* how a step's line begins */
/* Name of the step of the start that began last; empty if none did. `name` has `size` bytes. */
void kept_step(const char *text, size_t length, char *name, size_t size);
