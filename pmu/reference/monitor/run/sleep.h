/*
 * How a guest's CPU sleeps, and what wakes it. A foreign guest that is not stepped sleeps by itself, in the guest, and
 * what wakes it exits, once. If that was waiting already, STI before it would have held it back until the CPU sleeps;
 * entering the guest anew does not. Any other sleeps in the monitor.
 */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

/* HLT or MWAIT, so many bytes long, at f->rip. */
void sleep_begin(struct vcpu *v, struct frame *f, unsigned length);
/* Stepping has begun: what was to sleep by itself sleeps in the monitor. An interrupt that a stepped guest takes at its
 * HLT ends no sleep. */
void sleep_stepped(struct vcpu *v, struct frame *f);
/* An exit: if the guest slept by itself, it goes on behind that. */
void sleep_exit(struct vcpu *v, struct frame *f);
/* An interrupt has come, by exit, or idle; elsewhere interrupts take the guest's gate or the shadow one. */
void sleep_interrupted(struct vcpu *v, struct frame *f);
/* And an NMI. */
void sleep_nmi(struct vcpu *v, struct frame *f);
