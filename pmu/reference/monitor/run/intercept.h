/* What exits when the guest goes on. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

/* Tells the CPU what the state and the instruction under way ask for; `inside`: the in-guest half goes on. */
void intercepts_set(struct vcpu *v, bool inside);
