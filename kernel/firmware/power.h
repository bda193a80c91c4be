/* SPDX-License-Identifier: BSD-2-Clause */
/* How the machine is left at the end. */
#pragma once

#include "boot/bits.h"

/* Will the machine stay on, and its screen with it? */
bool power_stays(void);
/* Acts on option `after`: halt (default), reboot, poweroff, exit (isa-debug-exit with `code`). Does not return. */
_Noreturn void power_end(u8 code);
/* Ways of a warm reset, in the order in which an end by reset tries them. */
enum reset_way { RESET_BY_ACPI, RESET_BY_KEYBOARD, RESET_BY_CHIPSET, RESET_WAY_COUNT };
extern const char *const power_reset_name[];
/* Tries to reset the machine. Returns after 100 ms if that did not happen; false: it does not have this way. */
bool power_reset(enum reset_way way);
/* Why this machine cannot sleep in S3; NULL: it can. */
const char *power_sleep_unavailable(void);
/*
 * Puts the machine to sleep in S3: memory is kept, CPUs and devices lose what they hold. The real-time clock wakes it
 * after so many seconds, less than 60, and firmware then starts the boot CPU in real mode at `page`, below 1 MiB.
 * Returns after two seconds only if it does not fall asleep. ACPI mode is on afterwards. ACPI Specification, "System
 * \_S3 State". Interrupts are off.
 */
void power_sleep(u32 page, u32 seconds);
/* Halts this CPU for good with interrupts off. */
_Noreturn void power_halt(void);
