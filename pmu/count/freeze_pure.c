/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/count/freeze.h"
#include "pmu/cpu/lbr.h"
#include "pmu/gate/gate.h"
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
