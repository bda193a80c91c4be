/* What vmrun.asm offers: entering the guest, calling the monitor out of it, and waiting on the host's side. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

void monitor_enter(struct vcpu *v); /* returns as a guest */

/* Calls out of the guest, by VMMCALL: code in RAX, argument in RDI, result in RAX. */
enum monitor_call {
    CALL_REARM = 0x706d7500, /* model and virtual state as the set-up says */
    CALL_LEAVE_STUB,         /* from the in-guest half: back to the guest's own IDT and TSS */
    CALL_COUNT_BEGIN,        /* step from here, counting retired instructions */
    CALL_COUNT_END,          /* stop; the number of retired instructions */
    CALL_STEPPING,           /* argument: enum monitor_stepping */
    CALL_IDT,                /* argument: address of the interrupt table to use from here; the one before */
    CALL_APIC_CLOSE,         /* from the in-guest half: the store to the APIC's page has completed */
    CALL_APIC_WRITE,         /* from the in-guest half: argument is offset << 32 | value */
    CALL_APIC_READ,          /* from the in-guest half, of an offset: a register that is not to be seen in its place */
    CALL_APIC_MODE,          /* from the in-guest half: argument is MODE_* */
    CALL_NOTHING,            /* an exit, which looks again at what has to exit; benchmarks */
    CALL_STRAY,              /* from the in-guest half: the guest is about to access what is the monitor's */
    CALL_STARTUP,            /* from the in-guest half: the argument is INIT or a start-up IPI for another CPU */
    CALL_PARK,               /* waits for a start-up IPI, as after INIT; does not return here */
    CALL_HOST,               /* argument: struct monitor_guest, which takes the place of the caller */
};
enum { MODE_HAS_PAGE = 1, MODE_FORGETS = 2 };
u64 monitor_call(enum monitor_call code, u64 argument);

/* What comes is noted in the CPU's struct vcpu. */
void host_take_interrupts(void); /* opens GIF and IF for a moment */
void host_take_nmi(void);        /* opens GIF for a moment */
void host_halt(bool interrupts); /* sleeps until an interrupt or, without them, an NMI */
