/* SPDX-License-Identifier: BSD-2-Clause */
/* What vmrun.asm offers: entering the guest, calling the monitor from the guest, and waiting on the host's side. */
#pragma once

#include "hosting/monitor/vcpu.h"
#include "reference/step/stepper.h"

void monitor_enter(struct vcpu *v); /* returns as a guest */

/* Calls from the guest, by VMMCALL, beside those of every stepper. */
enum monitor_call {
    CALL_LEAVE_STUB = CALLS_OF_ALL, /* from the in-guest half: back to the guest's own IDT and TSS */
    CALL_APIC_CLOSE,                /* from the in-guest half: the store to the APIC's page has completed */
    CALL_APIC_WRITE,                /* from the in-guest half: argument is offset << 32 | value */
    CALL_APIC_READ,                 /* from the in-guest half: reads the register at this offset, hidden from it */
    CALL_APIC_MODE,                 /* from the in-guest half: argument is MODE_* */
    CALL_STRAY,                     /* from the in-guest half: the guest is about to access the monitor's memory */
    CALL_STARTUP,                   /* from the in-guest half: the argument is INIT or a start-up IPI for another CPU */
    CALL_PARK,                      /* waits for a start-up IPI, as after INIT; does not return */
    CALL_HOST,                      /* argument: struct monitor_guest of the kernel that takes the caller's place */
};
enum { MODE_HAS_PAGE = 1, MODE_FORGETS = 2 };

/* Events are recorded in the CPU's struct vcpu. */
void host_take_interrupts(void); /* opens GIF and IF for a moment */
void host_take_nmi(void);        /* opens GIF for a moment */
void host_halt(bool interrupts); /* sleeps until an NMI or, if `interrupts`, an interrupt */
