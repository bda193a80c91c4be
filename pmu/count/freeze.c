/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/count/freeze.h"
#include "kernel/register/msr.h"
#include "pmu/count/counter.h"
#include "pmu/gate/write.h"
#include "pmu/registers.h"

u64 freeze_begin(u64 bits)
{
    u64 found = rdmsr(MSR_DEBUGCTL);
    wrmsr(MSR_DEBUGCTL, found | bits);
    return found;
}

void freeze_end(u64 found)
{
    wrmsr(MSR_DEBUGCTL, found);
    if (pmu_caps()->version >= 4)
        pmu_status_clear(STATUS_CTR_FRZ | STATUS_LBR_FRZ);
}
