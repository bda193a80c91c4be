/* SPDX-License-Identifier: BSD-2-Clause */
/* CR4.PCE and, while a foreign guest is stepped, DR6.BS as the guest sees them. */
#pragma once

#include "hosting/monitor/vcpu.h"

void control_start(struct vcpu *v);
/* An access to CR4 or DR6 that exited; false if it cannot be understood. */
bool control_access(struct vcpu *v, struct frame *f);
