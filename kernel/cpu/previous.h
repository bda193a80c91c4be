/*
 * The log of a run that did not come to its end. Each line goes to a block of memory that loaders leave alone and a
 * warm reset keeps; the next start finds it there by its sum. So a machine that hangs for good, or resets by itself,
 * tells at its next start what it was doing.
 */
#pragma once

#include "boot/bits.h"

/*
 * Looks for what the run before left, and from here on keeps the log. `block` is NULL where there is no memory for it;
 * else it begins and ends on a page.
 */
void previous_init(void *block, size_t size);
/* Tells what was found: `# previous-run ...`. */
void previous_print(void);
/* The watchdog is armed: from here on each access of a register is kept as well. False if there is no memory for it. */
bool previous_watched(void);
/* Did what the watchdog ended hang outside of any test, or as many tests as are remembered? It would happen again. */
bool previous_hopeless(void);
/* Did this test hang the machine, in a run that the watchdog ended? No, if it is not armed now. */
bool previous_hung(const char *test);
/* The memory is somebody else's from here on: nothing is kept any more. */
void previous_stop(void);
