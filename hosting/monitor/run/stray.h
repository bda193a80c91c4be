/* SPDX-License-Identifier: BSD-2-Clause */
/* Accesses by a foreign guest to the monitor's memory. */
#pragma once

#include "hosting/monitor/vcpu.h"

/*
 * At a nested page fault: if it is such an access, a load is logged, once for each CPU and large page, and reads ones
 * from then on; any other access is logged and ends the run. Returns false for any other fault.
 */
bool stray_fault(struct vcpu *v, const struct frame *f);
/* Handles an access in the guest's place that hidden_note() has recorded: likewise, but a load may read the memory. */
void stray_look(struct vcpu *v, const struct frame *f);
