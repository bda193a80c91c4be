/* What ended a guarded call, in words: the access, the register, the place. */
#pragma once

#include "kernel/interrupt/interrupt.h"
#include "pmu/cpu/caps.h"

#define TROUBLE_TEXT 128

/* Did the call not return by itself? */
static inline bool in_trouble(const struct guard_result *guard)
{
    return guard->timeout || guard->storm || guard->fault != NO_FAULT;
}
/* Did an access by rdmsr() or wrmsr() fault? Then *msr is its register, *fault what it did. */
bool trouble_denied(const struct guard_result *guard, u32 *msr, fault_t *fault);
/* "took too long in RDMSR of IA32_PMC3", "unexpected #GP in count+0x12", on a CPU of these capabilities: into text of
 * TROUBLE_TEXT bytes. */
const char *trouble_text(const struct pmu_caps *caps, const struct guard_result *guard, char *text);
