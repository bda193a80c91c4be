/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The log of a run that did not end. Each line is copied to a block of memory that loaders leave alone and a warm reset
 * preserves; the next start recognises it there by its sum. So a machine that hangs for good, or resets by itself,
 * shows at its next start what it was doing.
 */
#pragma once

#include "boot/bits.h"

/*
 * Looks for the log of the previous run, and from here on stores the log of this one. `block` is NULL if there is no
 * memory for it; else it begins and ends on a page boundary.
 */
void previous_init(void *block, size_t size);
/* Logs what was found: `# previous-run ...`. */
void previous_print(void);
/* The watchdog is armed: from here on each register access is recorded too. False if there is no memory for it. */
bool previous_watched(void);
/* Did the run that the watchdog ended hang outside any test, or is the list of hung tests full? It would hang again. */
bool previous_hopeless(void);
/* Did this test hang the machine in a run that the watchdog ended? False if the watchdog is not armed now. */
bool previous_hung(const char *test);
/* Memory beside the log for what else is to survive a reset, PREVIOUS_MORE bytes; NULL: there is none. */
#define PREVIOUS_MORE (32ul << 10)
void *previous_more(void);
/* Has something that an earlier start wrote survived? Nothing does a power-on. */
bool previous_survived(void);
/* The next start is not to take this run for one that hung. With false the reset did not happen. */
void previous_plan_reset(bool planned);
/* Somebody else uses the memory from here on: nothing is stored any more. */
void previous_stop(void);
