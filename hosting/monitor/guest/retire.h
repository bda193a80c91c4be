/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports an instruction that retires to the model. */
#pragma once

#include "hosting/monitor/vcpu.h"

/* The instruction at `rip`, which began at `cpl`; f is the guest after it. */
void retire(struct vcpu *v, const struct frame *f, enum retired_kind kind, u64 rip, u8 cpl, bool taken);
