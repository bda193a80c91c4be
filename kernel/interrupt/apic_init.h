/* Bringing up local APICs, I/O APICs and the 8259s: used while starting, not by tests. */
#pragma once

#include "kernel/interrupt/apic.h"

#define VECTOR_APIC_ERROR 0xfe
/*
 * About 0.5 to 27 ms: the timer runs at the bus clock, or since Skylake at a crystal's 24 or 19.2 MHz. Only a bound,
 * never a clock; for one there is apic_timer_ticks().
 */
#define TICK_COUNT 4000

/* Finds the local APIC in the mode firmware left it. NULL, or why there is none, and then only the boot CPU. */
const char *apic_init(void);
/*
 * Has the calling CPU, not the boot CPU, in the mode that the boot CPU was found in: before anything else uses its
 * APIC, as ids and registers of the other mode are elsewhere. From x2APIC mode to xAPIC mode leads only the disabled
 * state; where neither is allowed (IA32_XAPIC_DISABLE_STATUS), the fault is told as one at the CPU's start. SDM 3A,
 * "x2APIC State Transitions".
 */
void apic_follow_boot_cpu(void);
/* Sets up the calling CPU's APIC: priority 0, error and spurious vectors. Thermal, CMCI and LINT entries stay. */
void apic_cpu_init(void);
/*
 * One wake-up of the calling CPU, so that a HLT that waits for others is bounded: with interrupts off, before each HLT.
 * Never a periodic one: where a CPU is slow, as under the reference PMU, the next tick would come before the handler of
 * the last one is through, and nothing else ever be executed.
 */
void apic_tick(bool on);
/* One wake-up, as by apic_tick(), after `ticks` of the timer; 0: none. */
void apic_tick_after(u32 ticks);
/* Measures the timer's rate by the TSC, which must have been calibrated: on the boot CPU, once, in a millisecond. */
void apic_timer_measure(void);
/* Ticks of the timer in `us` microseconds, at least 1; TICK_COUNT if its rate could not be measured. */
u32 apic_timer_ticks(u64 us);
/*
 * Puts back what INIT has taken from the calling CPU, not the boot CPU: entries for heat and corrected errors that
 * firmware has its SMI handler do. They are as on the boot CPU, which apic_init() has looked at.
 */
void apic_restore_firmware_entries(void);
void apic_send_init(u32 apic_id);
void apic_send_startup(u32 apic_id, u32 page_address);
/* Masks the 8259 pair and every I/O APIC entry except those in SMI mode: those are firmware's. */
void legacy_interrupts_mask(void);
