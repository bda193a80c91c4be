/* SPDX-License-Identifier: BSD-2-Clause */
/* The log in memory that a reset preserves: the image's own block, that of Linux's ramoops, and which tests hung. */
#pragma once

#include "boot/bits.h"

/*
 * A log in memory that loaders leave alone and a warm reset preserves: whole lines, with a sum that is valid at every
 * moment. Pure.
 */

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

/*
 * A log in memory in the form of Linux's persistent RAM, which ramoops shows as a file of pstore after a warm reset: a
 * header of three words, then the text ("Ramoops oops/panic logger" in Linux's administration guide). The text never
 * wraps around: if it is full, its first quarter, which identifies the machine, stays, and the older half of the rest
 * is dropped. Pure.
 */

struct ramoops {
    u32 signature;
    u32 start; /* position of the oldest byte: always 0 here */
    u32 size;  /* of the text */
    char text[];
};

/* The most that Linux preserves at once. */
#define RAMOOPS_MOST (4u << 20)

/* Starts an empty log in a zone. */
void ramoops_begin(struct ramoops *zone);
/* Adds whole lines to the zone, which has `size` bytes. Returns where in the text the first byte was changed. */
u32 ramoops_add(struct ramoops *zone, u32 size, const char *text, size_t length);

/*
 * Tests that hung the machine until the watchdog reset it, in memory that a reset preserves: later starts leave each of
 * them out, so that an unattended machine gets through the other tests. Pure.
 */

#define HUNG_MOST 8
#define HUNG_NAME 56

struct hung {
    u32 count, crc;
    char name[HUNG_MOST][HUNG_NAME];
};

/* Makes it an empty list, unless it is a valid one. */
void hung_begin(struct hung *hung);
void hung_clear(struct hung *hung);
/* Adds a name, if there is room and it is not there yet. */
void hung_add(struct hung *hung, const char *name);
bool hung_has(const struct hung *hung, const char *name);
