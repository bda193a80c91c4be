/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The instruction WRMSR by index, for the two gates alone: kernel/register/system_msr.c writes the registers of the
 * processor that the runtime needs, pmu/gate/write.c those of the PMU. It is inlined into one function of each, which
 * decides and writes: no function offers the write without a decision. tools/build/instructions.txt names both, and the
 * link fails if any other contains it.
 */
#pragma once

#include "kernel/register/msr.h"

/* After a fault trap() and the exception table continue at label 2 with RAX = fault. */
static inline __attribute__((always_inline)) fault_t wrmsr_instruction(u32 msr, u64 value)
{
    u64 fault = (u32)value, record = msr_access_begin(msr, true);
    __asm__ volatile("1: wrmsr\n\t"
                     "xorl %%eax, %%eax\n"
                     "2:\n\t"
                     ".pushsection extable, \"a\"\n\t"
                     ".quad 1b, 2b\n\t"
                     ".popsection"
                     : "+a"(fault)
                     : "c"(msr), "d"(value >> 32)
                     : "memory");
    msr_record_end(record);
    return (fault_t)fault;
}

/* A write that failed, where that is a bug of ours: EAX holds the fault, ECX the register, RDX the value, RSI the rule
 * if a gate refused. */
static inline __attribute__((always_inline)) void wrmsr_failed(fault_t fault, u32 msr, u64 value, const char *rule)
{
    __asm__ volatile("ud2" : : "a"(fault), "c"(msr), "d"(value), "S"(rule));
}
