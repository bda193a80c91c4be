/* The local APIC in the mode it was found in (xAPIC or x2APIC); the mode is never switched. SDM 3A, "Local APIC". */
#pragma once

#include "boot/bits.h"

/* Register offsets of the xAPIC page; in x2APIC mode the MSR is 800H + offset / 16. */
#define APIC_ID 0x020
#define APIC_VERSION 0x030
#define APIC_TPR 0x080
#define APIC_EOI 0x0b0
#define APIC_SPURIOUS 0x0f0
#define APIC_ISR 0x100
#define APIC_IRR 0x200
#define APIC_ESR 0x280
#define APIC_LVT_CMCI 0x2f0
#define APIC_ICR 0x300
#define APIC_ICR_SELF 0x44000u /* shorthand self, assert */
#define APIC_ICR_NMI 0x4400u   /* delivery NMI, assert */
#define APIC_ICR_HIGH 0x310
#define APIC_LVT_TIMER 0x320
#define APIC_LVT_THERMAL 0x330
#define APIC_LVT_PC 0x340
#define APIC_LVT_LINT0 0x350
#define APIC_LVT_LINT1 0x360
#define APIC_LVT_ERROR 0x370
#define LVT_VECTOR(v) FIELD(7, 0, v)
#define LVT_DELIVERY_FIXED FIELD(10, 8, 0)
#define LVT_DELIVERY_SMI FIELD(10, 8, 2)
#define LVT_DELIVERY_NMI FIELD(10, 8, 4)
#define LVT_DELIVERY_MASK MASK(10, 8)
#define LVT_STATUS BIT(12)
#define LVT_MASKED BIT(16)

bool apic_present(void); /* false: no local APIC, or disabled by firmware in a way that is not undone */
bool apic_x2(void);      /* true in x2APIC mode */
u32 apic_read(u32 offset);
void apic_write(u32 offset, u32 value);
/* The xAPIC page whatever the mode seems to be: for the monitor, under which the mode may be virtual. */
u32 apic_page_read(u32 offset);
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
