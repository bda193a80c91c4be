/*
 * The local APIC in the mode that the boot CPU's was found in (xAPIC or x2APIC), which is never switched; the others
 * follow it (kernel/interrupt/apic_init.h). SDM 3A, "Local APIC".
 */
#pragma once

#include "boot/cpu.h"

bool apic_present(void); /* false: no local APIC, or disabled by firmware in a way that is not undone */
bool apic_x2(void);      /* true in x2APIC mode */
/* The same, or it has just been: a CPU that saw the old mode may be about to write by MSR, which it still can. */
bool apic_x2_or_leaving(void);
u32 apic_read(u32 offset);
void apic_write(u32 offset, u32 value);
/* The xAPIC page whatever the mode seems to be: for the monitor, under which the mode may be virtual. */
u32 apic_page_read(u32 offset);
/* A vector's bit in the eight registers from `base` on: APIC_IRR, APIC_ISR. */
bool apic_page_tells(u32 base, u8 vector);
/* Where it is; NULL: in x2APIC mode there is none. */
volatile u32 *apic_page(void);
void apic_page_write(u32 offset, u32 value);
/*
 * Around a change of the virtual mode: the page is used until every CPU has the new mode, then it is looked up again.
 * Boot CPU only, the others idle. On a machine in x2APIC mode both do nothing.
 */
void apic_mode_assume_page(void);
void apic_mode_detect(void);
u32 apic_id(void);
void apic_eoi(void);
/* Sends vector to one CPU (directed, never a shorthand); bounded wait for delivery. */
void apic_send(u32 apic_id, u8 vector);
void apic_send_nmi(u32 apic_id);
/* True if `vector` is requested (IRR) or in service (ISR) on this CPU. */
bool apic_requested(u8 vector);
bool apic_in_service(u8 vector);
