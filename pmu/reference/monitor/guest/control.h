/* CR4.PCE as the guest sees it. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

void control_start(struct vcpu *v);
/* An access to CR4 that exited; false if it cannot be understood. */
bool control_access(struct vcpu *v, struct frame *f);
