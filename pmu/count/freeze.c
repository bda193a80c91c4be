/* SPDX-License-Identifier: BSD-2-Clause */
/* Freezing by IA32_DEBUGCTL: on a PMI the counters, or the last-branch records, stop automatically. */
#include "kernel/register/msr.h"
#include "pmu/count/counter.h"
#include "pmu/cpu/pebs.h"
#include "pmu/gate/gate.h"
#include "pmu/gate/write.h"
#include "pmu/registers.h"

static bool settable(const struct pmu_caps *caps, u64 bits)
{
    return (gate_bits(caps, MSR_DEBUGCTL) & bits) == bits;
}

bool freeze_possible(const struct pmu_caps *caps)
{
    return settable(caps, DEBUGCTL_FREEZE_PERFMON_ON_PMI);
}

bool freeze_lbrs_possible(const struct pmu_caps *caps)
{
    return settable(caps, DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_LBR) &&
           (caps->perf_capabilities & PERF_CAP_LBR_FORMAT) != LBR_FORMAT_ARCHITECTURAL;
}

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
