/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/register/msr.h"

void (*msr_access_begins)(u32 msr, bool write);

u64 msr_access_begin(u32 msr, bool write)
{
    if (msr_access_begins)
        msr_access_begins(msr, write);
    return msr_record_begin(msr, write);
}

fault_t rdmsr_untold_try(u32 msr, u64 *value); /* msr.asm */

fault_t rdmsr_try(u32 msr, u64 *value)
{
    u64 record = msr_access_begin(msr, false);
    fault_t fault = rdmsr_untold_try(msr, value);
    msr_record_end(record);
    return fault;
}

/* Unprotected: a fault, which would be a bug of ours, is dumped at this instruction. */
u64 rdmsr(u32 msr)
{
    u32 low, high;
    u64 record = msr_access_begin(msr, false);
    __asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
    msr_record_end(record);
    return (u64)high << 32 | low;
}
