/* The HPET's timers as devices that interrupt. IA-PC HPET Specification, "Timer N Configuration and Capabilities". */
#pragma once

#include "boot/bits.h"

/*
 * How many timers interrupt; of those that send messages the vector is noted (kernel/firmware/interrupt_source.h). off:
 * their interrupts are switched off. 0 where ACPI names no HPET, or it stands still.
 */
unsigned hpet_interrupts(bool off);
/* Puts back what is still as hpet_interrupts() left it. */
void hpet_interrupts_restore(void);
