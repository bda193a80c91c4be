/* SPDX-License-Identifier: BSD-2-Clause */
/* Executing copies of instructions. */
#pragma once

#include "hosting/monitor/vcpu.h"

bool copied_init(struct vcpu *v); /* false: no memory */
/* Lets the monitor's side of this CPU execute all that a guest may. The guest's control registers are saved before. */
void copied_start(void);
bool copied_usable(const struct vcpu *v, bool vex); /* may the guest use vector registers? For code outside of it */
/* Was this exception in a copy? Then f continues at copy_failed. */
bool copied_fault(const struct vcpu *v, struct frame *f);
bool copied_holds(const struct vcpu *v, u32 rip); /* is this, of which 32 bits are known, within a copy? */
