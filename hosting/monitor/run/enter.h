/* SPDX-License-Identifier: BSD-2-Clause */
/* Setting a virtual CPU up. */
#pragma once

#include "hosting/monitor/vcpu.h"

void monitor_reset_model(struct vcpu *v);       /* by v->setup; LVTPC masked */
void monitor_intercept_msr(u32 msr);            /* from here on RDMSR and WRMSR of it exit on every CPU */
void monitor_intercept_port(u16 port, bool on); /* accesses to it exit, or no longer do, on every CPU */
