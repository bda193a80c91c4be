/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The local APIC in the mode in which the boot CPU's was found (xAPIC or x2APIC); the boot CPU never switches it, the
 * others follow it (kernel/interrupt/apic_init.h). SDM 3A, "Local APIC".
 */
#pragma once

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
