/* SPDX-License-Identifier: BSD-2-Clause */
/* What x87 keeps of an instruction that was executed for the guest. */
#pragma once

#include "hosting/monitor/vcpu.h"

/*
 * FNSTENV or FNSAVE has stored x87's pointers, and the frame is behind it: the address of a copy, or of an instruction
 * in a translated block, becomes that of the original, and its operand's likewise. If stepping has ended between the
 * two, or the block is no longer kept, the pointers stay as they are.
 */
void x87_mend(struct vcpu *v, const struct frame *f);
