/* SPDX-License-Identifier: BSD-2-Clause */
/* What exits when the guest continues. */
#pragma once

#include "hosting/monitor/vcpu.h"

/* Sets what the state and the current instruction need to exit; `inside`: the in-guest half continues. */
void intercepts_set(struct vcpu *v, bool inside);
