#include "kernel/cpu/msr.h"
#include "kernel/log/log.h"

fault_t wrmsr_ungated_try(u32 msr, u64 value); /* msr.asm */

static fault_t write(u32 msr, u64 value, const char **rule)
{
    if (!msr_write_allowed(msr, value, rule))
        return FAULT_REFUSED;
    msr_access_begins(msr, true);
    return wrmsr_ungated_try(msr, value);
}

fault_t rdmsr_untold_try(u32 msr, u64 *value); /* msr.asm */

fault_t rdmsr_try(u32 msr, u64 *value)
{
    msr_access_begins(msr, false);
    return rdmsr_untold_try(msr, value);
}

fault_t wrmsr_try(u32 msr, u64 value)
{
    const char *rule;
    return write(msr, value, &rule);
}

/* A second, unprotected access would fault again and be dumped where it happens: a plain way to report a bug of ours.
 */
u64 rdmsr(u32 msr)
{
    u32 low, high;
    msr_access_begins(msr, false);
    __asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
    return (u64)high << 32 | low;
}

void wrmsr(u32 msr, u64 value)
{
    const char *rule = NULL;
    fault_t fault = write(msr, value, &rule);
    if (fault != NO_FAULT)
        __asm__ volatile("ud2" : : "a"(fault), "c"(msr), "d"(value), "S"(rule));
}
