/*
 * The log of a run that did not come to its end. Each line goes to a block of memory that loaders leave alone and a
 * warm reset keeps; the next start finds it there by its sum. So a machine that hangs for good, or resets by itself,
 * tells at its next start what it was doing.
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
/* Name of the test that began last, as "# begin NAME" tells; "none" if none did. `name` has `size` bytes. */
void kept_running(const char *text, size_t length, char *name, size_t size);

/* Looks for what the run before left, and from here on keeps the log. `block` is NULL where there is
 * no memory for it. */
void previous_init(struct kept *block, size_t size);
/* Tells what was found: `# previous-run ...`. */
void previous_print(void);
/* The memory is somebody else's from here on: nothing is kept any more. */
void previous_stop(void);
