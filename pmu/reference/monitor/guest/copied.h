/* Executing copies of instructions. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

bool copied_init(struct vcpu *v); /* false: no memory */
/* Lets the monitor's side of this CPU execute all that a guest may. The guest's control registers are saved before. */
void copied_start(void);
bool copied_usable(const struct vcpu *v, bool vex); /* may the guest use vector registers? For code outside of it */
/* Was this exception in a copy? Then f continues at copy_failed. */
bool copied_fault(const struct vcpu *v, struct frame *f);
/*
 * FNSTENV or FNSAVE has stored x87's pointers, and the frame is behind it: the address of a copy becomes that of the
 * original instruction, and its operand's likewise. If stepping has ended between the two, the copy's addresses stay.
 */
void copied_mend(struct vcpu *v, const struct frame *f);
