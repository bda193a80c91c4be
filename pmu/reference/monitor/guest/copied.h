/* Executing copies of instructions. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

bool copied_init(struct vcpu *v); /* false: no memory */
/* Lets the monitor's side of this CPU execute what a guest may. Once the guest's own control registers are saved. */
void copied_start(void);
/* Was this exception in a copy? Then f is sent to where it has failed. */
bool copied_fault(const struct vcpu *v, struct frame *f);
