/* An instruction retires: the model is told. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

/* The one at `rip`, begun at `cpl`; f is the guest behind it. */
void retire(struct vcpu *v, const struct frame *f, enum retired_kind kind, u64 rip, u8 cpl, bool taken);
