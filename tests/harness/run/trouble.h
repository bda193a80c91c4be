/* SPDX-License-Identifier: BSD-2-Clause */
/* What ended a guarded call, in words: the access, the register, the place in the code. */
#pragma once

#include "kernel/interrupt/interrupt.h"
#include "pmu/cpu/caps.h"

#define TROUBLE_TEXT 128

/* Was the call ended before it returned by itself? */
static inline bool in_trouble(const struct guard_result *guard)
{
    return guard->timeout || guard->storm || guard->fault != NO_FAULT;
}
/* Did an access by rdmsr() or wrmsr() fault? Then *msr is its register, *fault the fault. */
bool trouble_denied(const struct guard_result *guard, u32 *msr, fault_t *fault);
/* Writes "took too long in RDMSR of IA32_PMC3", "unexpected #GP in count+0x12" to text of TROUBLE_TEXT bytes. */
const char *trouble_text(const struct pmu_caps *caps, const struct guard_result *guard, char *text);
