/* SPDX-License-Identifier: BSD-2-Clause */
/* Code that the monitor makes while it runs. */
#pragma once

#include "hosting/monitor/vcpu.h"

/* Writes code to a place from code_alloc(), in whatever address space is loaded. */
void code_store(const struct vcpu *v, u8 *to, const u8 *from, unsigned count);
