/* SPDX-License-Identifier: BSD-2-Clause */
/* The HPET: its registers, and its timers as sources of interrupts. IA-PC HPET Specification. */
#pragma once

#include "boot/bits.h"

/* Registers, in 32-bit words. */
#define HPET_CAPABILITIES 0x00
#define HPET_PERIOD 0x01 /* period of its counter, in femtoseconds */
#define HPET_CONFIGURATION 0x04
#define HPET_ENABLE 0x1u
#define HPET_COUNTER 0x3c

/* The mapped registers; NULL if ACPI lists no HPET, or if the period that it states is not allowed. */
volatile u32 *hpet_registers(void);

/*
 * Returns how many timers have interrupts enabled, and notes the vectors of those that send messages
 * (kernel/firmware/interrupt_source.h). off: disables these interrupts. 0 if ACPI lists no HPET, or if it stands still.
 */
unsigned hpet_interrupts(bool off);
/* Restores the timers, except those whose registers changed after hpet_interrupts(). */
void hpet_interrupts_restore(void);
