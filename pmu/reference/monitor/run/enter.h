/* Setting a virtual CPU up. */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

void monitor_reset_model(struct vcpu *v);       /* as v->setup says; LVTPC masked */
void monitor_intercept_msr(u32 msr);            /* RDMSR and WRMSR of it exit from here on, on every CPU */
void monitor_intercept_port(u16 port, bool on); /* accesses to it exit, or no longer, on every CPU */
