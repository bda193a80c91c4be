#include "kernel/msr.h"
#include "kernel/log.h"

fault_t wrmsr_ungated_try(u32 msr, u64 value); /* msr.asm */

fault_t wrmsr_try(u32 msr, u64 value)
{
    const char *rule;
    if (!msr_write_allowed(msr, value, &rule))
        return FAULT_REFUSED;
    return wrmsr_ungated_try(msr, value);
}

/* A second, unprotected access would fault again and be dumped where it happens: a plain way to report a bug of ours.
 */
u64 rdmsr(u32 msr)
{
    u32 low, high;
    __asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
    return (u64)high << 32 | low;
}

void wrmsr(u32 msr, u64 value)
{
    if (wrmsr_try(msr, value) != NO_FAULT)
        __asm__ volatile("ud2" : : "a"(msr), "d"(value));
}
