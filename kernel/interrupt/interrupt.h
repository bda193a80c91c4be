/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Interrupts and exceptions. A fault goes first to the exception table (rdmsr_try and friends), then to a registered
 * handler, then to the guard of the running code; without one it ends the run.
 */
#pragma once

#include "boot/cpu.h"
#include "kernel/interrupt/frame.h"
#include "kernel/interrupt/stray.h"
#include "kernel/interrupt/vectors.h"
#include "kernel/register/fault.h"

/* Interrupts that no test asked for, counted per CPU since the start: brackets of the judging protocol compare them. */
struct interrupt_counts {
    u32 foreign_nmis;   /* NMIs that no handler claimed */
    u32 machine_checks; /* #MC that the CPU survived */
    u32 unexpected;     /* vectors without a handler */
    u32 spurious;       /* the local APIC's own vector, for an interrupt that went away before it was taken */
    u32 apic_errors;
    u32 wakes; /* wake-ups by other CPUs and by the timer, where the image waits for work: no bracket checks them */
    u8 stray;  /* the last vector counted in `unexpected` or `spurious` */
};
struct interrupt_counts interrupt_counts(void);
/* The counts of any CPU; a CPU other than the calling one must be idle. */
struct interrupt_counts interrupt_counts_of(u32 cpu);
/* Which vectors without a handler arrived. Any CPU, as above. */
const struct strays *interrupt_strays_of(u32 cpu);
/* An NMI handler calls this when the NMI was not its own. */
void interrupt_foreign_nmi(void);

/* Why a guarded call ended. If the function returned by itself: fault is NO_FAULT, storm and timeout are false. */
struct guard_result {
    fault_t fault;
    u32 cpu;
    u64 rip;            /* of the faulting instruction */
    u64 address;        /* CR2 for #PF */
    u32 msr;            /* ECX at the fault: the MSR, if the instruction was RDMSR or WRMSR */
    bool storm;         /* ended to stop an interrupt storm, not by a fault */
    bool timeout;       /* ended from outside, because it took too long or slept for ever */
    struct frame frame; /* registers at that moment */
    u64 stack[8];       /* what the stack pointer pointed at */
};
/*
 * Runs function(argument) on this CPU so that an unexpected fault ends only the function: registers, stack and
 * interrupt state are restored, and the fault is returned. One level per CPU.
 */
struct guard_result guarded_call(void (*function)(void *), void *argument);

/* For handlers: ends the interrupted guarded call with the frame's exception as its fault; without one, ends the
 * run. */
void interrupt_end_guarded(struct frame *frame);
