/* SPDX-License-Identifier: BSD-2-Clause */
/* What the write gate's decision needs to know about the calling CPU, read when it is asked. */
#pragma once

#include "pmu/gate/gate.h"

/* The parts that `wants` names, for a write of `value` to `msr`. `walking`: gate_walk() is open. */
struct gate_context gate_context_of(const struct own *own, bool walking, u32 msr, u64 value, struct gate_wants wants);
/* The update of microcode that is being loaded into the calling CPU, by the address of its data; NULL: none. */
void gate_offer_update(const void *data);
