/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A watchdog that needs no CPU: the chipset's timer resets the machine unless the run makes progress in time. It is for
 * a hang that nothing else can end, such as an access that holds all CPUs for good. Only with the option `watchdog`,
 * and only with a known chipset; its registers are restored at the end.
 */
#pragma once

#include "boot/bits.h"

/*
 * Does firmware or a management controller already run a timer that may reset the machine? Then *bound is its time
 * without a reload, in seconds. Reads only. Also false if that cannot be seen.
 */
bool watchdog_runs_already(u32 *bound);
/*
 * Has the machine reset after `seconds` without progress, or the timer's longest time if that is shorter; another call
 * sets another time. Returns NULL, and in *bound the real number of seconds; or why it cannot be done, with nothing
 * changed. Boot CPU only.
 */
const char *watchdog_start(u32 seconds, u32 *bound);
/* The run makes progress. May be called on any CPU at any time; costs little. */
void watchdog_progress(void);
/* Restores all registers; false if one does not read back so. Harmless if the watchdog was never started. */
bool watchdog_stop(void);
