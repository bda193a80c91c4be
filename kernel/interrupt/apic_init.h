/* SPDX-License-Identifier: BSD-2-Clause */
/* Setting up local APICs, I/O APICs and the 8259s: used by the start, not by tests. */
#pragma once

#include "kernel/interrupt/apic.h"

#define VECTOR_APIC_ERROR 0xfe
/*
 * About 0.5 to 27 ms: the timer runs at the bus clock, or since Skylake at a crystal's 24 or 19.2 MHz. Only a bound on
 * a sleep, not a measured time; for that there is apic_timer_ticks().
 */
#define TICK_COUNT 4000

/* Finds the local APIC in the mode firmware left it. NULL, or why there is none: then only the boot CPU is used. */
const char *apic_init(void);
/*
 * Switches the calling CPU, not the boot CPU, to the mode that the boot CPU was found in. Must come before any other
 * use of its APIC, because the ids and registers of the other mode are elsewhere. From x2APIC mode the only way to
 * xAPIC mode is through the disabled state; if that is not allowed (IA32_XAPIC_DISABLE_STATUS), the fault is reported
 * as one at the CPU's start. SDM 3A, "x2APIC State Transitions".
 */
void apic_follow_boot_cpu(void);
/* Sets up the calling CPU's APIC: priority 0, error and spurious vectors. Thermal, CMCI and LINT entries stay. */
void apic_cpu_init(void);
/*
 * One wake-up of the calling CPU, which bounds a HLT that waits for others; call it with interrupts off before each
 * HLT. Never periodic: on a slow CPU, as under the reference PMU, the next tick would come before the handler of the
 * last one has finished, and nothing else would ever run.
 */
void apic_tick(bool on);
/* One wake-up, like apic_tick(), after `ticks` of the timer; 0: none. */
void apic_tick_after(u32 ticks);
/* Measures the timer's rate with the calibrated TSC: on the boot CPU, once, in a millisecond. */
void apic_timer_measure(void);
/* Ticks of the timer in `us` microseconds, at least 1; TICK_COUNT if its rate could not be measured. */
u32 apic_timer_ticks(u64 us);
/*
 * Restores what INIT has masked on the calling CPU, not the boot CPU: entries for thermal events and corrected errors
 * that firmware directs to its SMI handler. The values are the boot CPU's, which apic_init() has read.
 */
void apic_restore_firmware_entries(void);
void apic_send_init(u32 apic_id);
void apic_send_startup(u32 apic_id, u32 page_address);
/* Masks the 8259 pair and every I/O APIC entry, except entries in SMI mode: they belong to firmware. */
void legacy_interrupts_mask(void);
