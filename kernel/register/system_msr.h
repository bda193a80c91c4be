/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The registers of the processor, not of the PMU, that the runtime writes by WRMSR: an allow-list, as data. Nothing
 * else is written from kernel/; all other registers are behind the write gate of pmu/gate. SDM 4, "Model-Specific
 * Registers (MSRs)".
 */
#pragma once

#include "boot/cpu.h"
#include "boot/cpuid.h"
#include "kernel/register/fault.h"

/* Writes it if a row allows the value: FAULT_REFUSED if not, the hardware's fault if it faults. */
fault_t system_wrmsr_try(u32 msr, u64 value);
/* The same where a failure would be a bug of ours: it is dumped and ends the test or the run. */
void system_wrmsr(u32 msr, u64 value);

/* What a decision needs besides the value. */
struct system_write {
    u32 msr;
    u64 value;
    u64 current; /* what the register reads */
    bool current_known;
    bool starting;   /* the calling CPU has no number yet */
    u32 lvtpc_found; /* LVTPC as the firmware left it */
    struct cpuid_regs leaf0, leaf1;
};
/* NULL: it may be written; else the rule that forbids it, a constant text. Pure. */
const char *system_refuses(const struct system_write *write);
/* What a decision about this register depends on besides: what it reads, or the leaves of CPUID. Pure. */
enum system_needs { NEEDS_NOTHING, NEEDS_CURRENT, NEEDS_IDENTITY };
enum system_needs system_needs(u32 msr);
/* LVTPC as the firmware left it, which is what is written back in the end. */
void system_lvtpc_found(u32 value);

/* PMIs are delivered as interrupts or NMIs. No test asks for SMIs, INITs or interrupts of the 8259's. */
static inline bool system_lvtpc_delivers(u64 value)
{
    u64 delivery = value & LVT_DELIVERY_MASK;
    return delivery == LVT_DELIVERY_FIXED || delivery == LVT_DELIVERY_NMI;
}
