/* Interrupts and exceptions built by hand. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

/* Builds the guest's frame for an interrupt or exception as the CPU would, and goes to the handler. */
void deliver(struct vcpu *v, struct frame *f, u8 vector, u64 error);
/* The same for INT n, an instruction, with RIP behind it: the model is told of it by retire(), not as of an event. */
void deliver_software(struct vcpu *v, struct frame *f, u8 vector);
/* The guest's #GP(0): by frame while stepping or without an exit, else injected. */
void deliver_gp(struct vcpu *v, struct frame *f);
/* The #DB of an instruction that began with the guest's TF set, has completed and got no trap of the CPU's. */
void deliver_single_step(struct vcpu *v, struct frame *f);
