/* The HPET: its registers, and its timers as devices that interrupt. IA-PC HPET Specification. */
#pragma once

#include "boot/bits.h"

/* Registers, in 32-bit words. */
#define HPET_CAPABILITIES 0x00
#define HPET_PERIOD 0x01 /* of its counter, in femtoseconds */
#define HPET_CONFIGURATION 0x04
#define HPET_ENABLE 0x1u
#define HPET_COUNTER 0x3c

/* Mapped; NULL where ACPI names no HPET, or what is there tells no period that one may have. */
volatile u32 *hpet_registers(void);

/*
 * How many timers interrupt; of those that send messages the vector is noted (kernel/firmware/interrupt_source.h). off:
 * their interrupts are switched off. 0 where ACPI names no HPET, or it stands still.
 */
unsigned hpet_interrupts(bool off);
/* Puts back what is still as hpet_interrupts() left it. */
void hpet_interrupts_restore(void);
