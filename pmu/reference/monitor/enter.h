/* Setting a virtual CPU up. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

void monitor_reset_model(struct vcpu *v); /* as v->setup says; LVTPC masked */
void monitor_intercept_msr(u32 msr);      /* RDMSR and WRMSR of it exit from here on, on every CPU */
