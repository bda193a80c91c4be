/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/register/msr.h"
#include "kernel/register/gate.h"
#include "kernel/register/msr_record_cpu.h"

void (*msr_access_begins)(u32 msr, bool write);

/* Returns the token for msr_record_end(), which is called once the access has come back. */
static u64 tell(u32 msr, bool write)
{
    if (msr_access_begins)
        msr_access_begins(msr, write);
    return msr_record_begin(msr, write);
}

/*
 * The image's only WRMSR with a variable index, in one function with the gate, so that no function offers the write
 * without it. After a fault trap() and the exception table continue at label 2 with RAX = fault. Not inlined, so that
 * the check of the linked code (tools/check/source/instructions.sh) finds it in one place.
 */
static __attribute__((noinline)) fault_t write(u32 msr, u64 value, const char **rule)
{
    u64 fault = (u32)value;
    if (!gate_asked(msr, value, rule))
        return FAULT_REFUSED;
    u64 record = tell(msr, true);
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
    if ((fault_t)fault != NO_FAULT)
        gate_faulted(msr);
    return (fault_t)fault;
}

fault_t rdmsr_untold_try(u32 msr, u64 *value); /* msr.asm */

fault_t rdmsr_try(u32 msr, u64 *value)
{
    u64 record = tell(msr, false);
    fault_t fault = rdmsr_untold_try(msr, value);
    msr_record_end(record);
    return fault;
}

fault_t wrmsr_try(u32 msr, u64 value)
{
    const char *rule;
    return write(msr, value, &rule);
}

/* Unprotected: a fault, which would be a bug of ours, is dumped at this instruction. */
u64 rdmsr(u32 msr)
{
    u32 low, high;
    u64 record = tell(msr, false);
    __asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
    msr_record_end(record);
    return (u64)high << 32 | low;
}

void wrmsr(u32 msr, u64 value)
{
    const char *rule = NULL;
    fault_t fault = write(msr, value, &rule);
    if (fault != NO_FAULT)
        __asm__ volatile("ud2" : : "a"(fault), "c"(msr), "d"(value), "S"(rule));
}
