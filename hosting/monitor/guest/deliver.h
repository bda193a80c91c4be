/* SPDX-License-Identifier: BSD-2-Clause */
/* Interrupts and exceptions built by hand. */
#pragma once

#include "hosting/monitor/vcpu.h"

/* Builds the guest's frame for an interrupt or exception as the CPU would, and continues at the handler. */
void deliver(struct vcpu *v, struct frame *f, u8 vector, u64 error);
/* The same for INT n, with RIP behind the instruction. The model learns of it by retire(), not as of an event. */
void deliver_software(struct vcpu *v, struct frame *f, u8 vector);
/* The guest's #GP(0): by a hand-built frame while it is stepped or in the in-guest half, else injected. */
void deliver_gp(struct vcpu *v, struct frame *f);
/* The #DB of an instruction that began with the guest's TF set and has completed without a trap from the CPU. */
void deliver_single_step(struct vcpu *v, struct frame *f);
