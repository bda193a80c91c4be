/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/register/system_msr.h"
#include "kernel/register/cpu_index.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/msr.h"
#include "kernel/register/wrmsr.h"

static u32 lvtpc_found;

void system_lvtpc_found(u32 value)
{
    lvtpc_found = value;
}

/* Not inlined, so that the check of the linked code finds the instruction in one place. */
static __attribute__((noinline)) fault_t system_write(u32 msr, u64 value, const char **rule)
{
    struct system_write write = {.msr = msr, .value = value, .starting = !cpu_has_index(), .lvtpc_found = lvtpc_found};
    enum system_needs needs = system_needs(msr);
    write.current_known = needs == NEEDS_CURRENT && rdmsr_try(msr, &write.current) == NO_FAULT;
    if (needs == NEEDS_IDENTITY) {
        write.leaf0 = cpuid(0, 0);
        write.leaf1 = cpuid(1, 0);
    }
    *rule = system_refuses(&write);
    return *rule ? FAULT_REFUSED : wrmsr_instruction(msr, value);
}

fault_t system_wrmsr_try(u32 msr, u64 value)
{
    const char *rule;
    return system_write(msr, value, &rule);
}

void system_wrmsr(u32 msr, u64 value)
{
    const char *rule;
    fault_t fault = system_write(msr, value, &rule);
    if (fault != NO_FAULT)
        wrmsr_failed(fault, msr, value, rule);
}
