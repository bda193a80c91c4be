/*
 * A watchdog that needs no CPU: the chipset's timer resets the machine unless it is told in time that the run makes
 * progress. For what nothing else can end, an access that holds all CPUs for good. With option `watchdog` only, and
 * only with a chipset that is known; its registers are put back as they were found.
 */
#pragma once

#include "boot/bits.h"

/*
 * Does one count already that may reset the machine, firmware's or a management controller's? Then *bound is after how
 * many seconds without its being fed. Reads only. False too where that cannot be seen.
 */
bool watchdog_runs_already(u32 *bound);
/*
 * Lets the machine be reset once there has been no progress for `seconds`, or as long as the timer can; called again it
 * sets another time. NULL, and *bound is how many seconds it became; or why it cannot be done, with nothing changed.
 * Boot CPU only.
 */
const char *watchdog_start(u32 seconds, u32 *bound);
/* The run makes progress. Any CPU, any time; costs little. */
void watchdog_progress(void);
/* Puts all back as it was found; false if it does not read so. Harmless if it was never started. */
bool watchdog_stop(void);
