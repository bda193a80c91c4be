/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The local APIC in the mode in which the boot CPU's was found (xAPIC or x2APIC); the boot CPU never switches it, the
 * others follow it (kernel/interrupt/apic.h). SDM 3A, "Local APIC".
 */
#pragma once

#include "boot/bits.h"
#include "boot/cpu.h"

bool apic_present(void); /* false: there is no local APIC, or firmware has disabled it */
bool apic_x2(void);      /* true in x2APIC mode */
/* x2APIC mode, or it has just been left: a CPU that saw the old mode may still be about to write by MSR. */
bool apic_x2_or_leaving(void);
u32 apic_read(u32 offset);
void apic_write(u32 offset, u32 value);
/* Reads the xAPIC page whatever the mode seems to be: for the monitor, under which the mode may be virtual. */
u32 apic_page_read(u32 offset);
/* A vector's bit in the eight registers from `base` on (APIC_IRR or APIC_ISR). */
bool apic_page_tells(u32 base, u8 vector);
/* The address of the xAPIC page; NULL in x2APIC mode. */
volatile u32 *apic_page(void);
void apic_page_write(u32 offset, u32 value);
/*
 * For a change of the virtual mode: the page is used until every CPU has the new mode; then apic_mode_detect() reads
 * the mode again. Boot CPU only, with the others idle. On a machine in x2APIC mode the page works only while software
 * shows another APIC.
 */
void apic_mode_assume_page(void);
void apic_mode_detect(void);
/* The same where the mode is known. */
void apic_mode_is(bool x2apic);
u32 apic_id(void);
void apic_eoi(void);
/* Sends vector to one CPU (directed, never a shorthand); bounded wait for delivery. */
void apic_send(u32 apic_id, u8 vector);
void apic_send_nmi(u32 apic_id);
/* True if `vector` is requested (IRR) or in service (ISR) on this CPU. */
bool apic_requested(u8 vector);
bool apic_in_service(u8 vector);

/* ---- Entries of the local vector table that belong to firmware. Pure. SDM 3A, "Local Vector Table". */

/* Has an APIC with this version register the entry? `number` is the entry's place: 5 thermal, 6 CMCI. */
bool apic_entry_exists(u32 version, unsigned number);
/*
 * The value for another CPU's entry after an INIT, which has masked it: the boot CPU's entry without its read-only
 * bits, if that delivers an SMI. 0: leave the entry alone.
 */
u32 apic_entry_after_init(u32 boot_entry);

/* ---- Setting up local APICs, I/O APICs and the 8259s: used by the start, not by tests. */

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
