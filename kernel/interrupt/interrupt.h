/*
 * Interrupts, exceptions and what happens to a fault: exception table first (rdmsr_try and friends), then a registered
 * handler, then the guard of the code that is running, then the end of the run.
 */
#pragma once

#include "boot/cpu.h"
#include "kernel/interrupt/frame.h"
#include "kernel/interrupt/stray.h"
#include "kernel/interrupt/vectors.h"
#include "kernel/register/fault.h"

/* Per-CPU counts of what arrived unasked since start: brackets of the judging protocol compare them. */
struct interrupt_counts {
    u32 foreign_nmis;   /* NMIs that no handler claimed */
    u32 machine_checks; /* #MC survived */
    u32 unexpected;     /* vectors without a handler */
    u32 spurious;       /* the local APIC's own, where an interrupt went away before it was taken */
    u32 apic_errors;
    u32 wakes; /* of other CPUs and of the timer, where the image's own work waits: no bracket looks at them */
    u8 stray;  /* the last vector of these two */
};
struct interrupt_counts interrupt_counts(void);
/* Of any CPU, which must be idle if it is not the calling one. */
struct interrupt_counts interrupt_counts_of(u32 cpu);
/* The vectors of those on vectors without a handler. Of a CPU as above. */
const struct strays *interrupt_strays_of(u32 cpu);
/* An NMI handler calls this when the NMI was not its own. */
void interrupt_foreign_nmi(void);

/* What ended a guarded call. fault is NO_FAULT, storm and timeout false if the function returned by itself. */
struct guard_result {
    fault_t fault;
    u32 cpu;
    u64 rip;            /* of the faulting instruction */
    u64 address;        /* CR2 for #PF */
    u32 msr;            /* ECX at the fault: the register, when the instruction was RDMSR or WRMSR */
    bool storm;         /* ended because an interrupt storm was cut, not by a fault */
    bool timeout;       /* ended by another CPU, because it took too long */
    struct frame frame; /* registers at that moment */
    u64 stack[8];       /* what the stack pointer pointed at */
};
/*
 * Runs function(argument) on this CPU so that an unexpected fault ends the function only: registers and stack are
 * restored, interrupt state is put back as it was, and the fault is returned. Nests once per CPU.
 */
struct guard_result guarded_call(void (*function)(void *), void *argument);

/* For handlers: ends the guarded call that was interrupted as an unexpected fault; without one, the run. */
void interrupt_end_guarded(struct frame *frame);
