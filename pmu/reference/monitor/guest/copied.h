/* Executing copies of instructions. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

bool copied_init(struct vcpu *v); /* false: no memory */
/* Lets the monitor's side of this CPU execute what a guest may. Once the guest's own control registers are saved. */
void copied_start(void);
/* Was this exception in a copy? Then f is sent to where it has failed. */
bool copied_usable(const struct vcpu *v, bool vex); /* are vector registers, for who is not in the guest? */
bool copied_fault(const struct vcpu *v, struct frame *f);
/*
 * FNSTENV or FNSAVE has stored what x87 keeps of its last instruction, and the frame is behind it: a copy's address
 * becomes the instruction's own, and so does its operand's. What is stored while nothing is stepped any more, of an
 * instruction that was, stays the copy's.
 */
void copied_mend(struct vcpu *v, const struct frame *f);
