/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/gate/write.h"
#include "kernel/register/wrmsr.h"
#include "pmu/gate/gate.h"

/*
 * Writes that must precede one are made here, so that no event select is programmed without them; a walk makes only its
 * own. Not inlined, so that the check of the linked code finds the instruction in one place.
 */
static __attribute__((noinline)) fault_t gate_write(u32 msr, u64 value, const char **rule)
{
    if (!gate_allows_now(msr, value, rule))
        return FAULT_REFUSED;
    if (!gate_walking())
        nehalem_before_select(pmu_caps(), msr, value, wrmsr);
    gate_record(msr, value);
    fault_t fault = wrmsr_instruction(msr, value);
    if (fault != NO_FAULT)
        gate_faulted(msr);
    return fault;
}

fault_t wrmsr_try(u32 msr, u64 value)
{
    const char *rule;
    return gate_write(msr, value, &rule);
}

void wrmsr(u32 msr, u64 value)
{
    const char *rule = NULL;
    fault_t fault = gate_write(msr, value, &rule);
    if (fault != NO_FAULT)
        wrmsr_failed(fault, msr, value, rule);
}
