/* How the machine is left at the end. */
#pragma once

#include "boot/bits.h"

/* Will the machine stay on, and its screen with it? */
bool power_stays(void);
/* Acts on option `after`: halt (default), reboot, poweroff, exit (isa-debug-exit with `code`). Does not return. */
_Noreturn void power_end(u8 code);
/* Halts this CPU for good with interrupts off. */
_Noreturn void power_halt(void);
