/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How a guest's CPU sleeps, and what wakes it. A foreign guest that is not stepped sleeps by itself, in the guest, and
 * the event that wakes it exits, once. An STI before HLT would hold back an event that already waits until the CPU
 * sleeps; entering the guest anew loses that hold. Any other guest sleeps on the host's side.
 */
#pragma once

#include "hosting/monitor/vcpu.h"

/* HLT or MWAIT at f->rip, `length` bytes long. */
void sleep_begin(struct vcpu *v, struct frame *f, unsigned length);
/* Stepping has begun: a guest that was to sleep by itself sleeps on the host's side. If a stepped guest takes an
 * interrupt at its HLT, it goes back to sleep. */
void sleep_stepped(struct vcpu *v, struct frame *f);
/* At an exit: if the guest slept by itself, it continues behind the HLT or MWAIT. */
void sleep_exit(struct vcpu *v, struct frame *f);
/* An interrupt has exited, while stepped by exit or asleep; others go through the guest's gate or the shadow one. */
void sleep_interrupted(struct vcpu *v, struct frame *f);
/* The same for an NMI. */
void sleep_nmi(struct vcpu *v, struct frame *f);
