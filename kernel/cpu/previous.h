/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the log is kept beyond this run: in memory, for the next start, and in the firmware's store of variables. */
#pragma once

#include "boot/bits.h"

/*
 * The log of a run that did not end. Each line is copied to a block of memory that loaders leave alone and a warm reset
 * preserves; the next start recognises it there by its sum. So a machine that hangs for good, or resets by itself,
 * shows at its next start what it was doing.
 */

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

/* The firmware's variable store, by its runtime services. For the end of a run: a call hands the machine to the
 * firmware. */

/*
 * Writes `size` bytes to the variable EFI_VARIABLE_NAME, which survives power-off. On the boot CPU only, with the
 * others asleep. Returns NULL, or why it failed: no UEFI, no room, an error from the firmware, a fault in its code. A
 * call that hangs is not ended: that could leave the store half written.
 */
const char *efi_variable_set(const u8 *data, size_t size);
