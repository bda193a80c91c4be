/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/cpu/alias.h"
#include "pmu/gate/caused.h"
#include "pmu/registers.h"

static u64 by_debugctl(u64 value)
{
    return (value & DEBUGCTL_FREEZE_PERFMON_ON_PMI ? STATUS_CTR_FRZ : 0) |
           (value & DEBUGCTL_FREEZE_LBRS_ON_PMI ? STATUS_LBR_FRZ : 0);
}

static u64 by_control(u32 msr, u64 value)
{
    switch (msr) {
    case MSR_PERF_GLOBAL_CTRL: /* its bits are those of STATUS */
    case MSR_PERF_GLOBAL_STATUS_SET:
        return value;
    case MSR_PERF_METRICS:
        return STATUS_METRICS | STATUS_FIXED(FIXED_TOPDOWN_SLOTS);
    case MSR_DEBUGCTL:
        return by_debugctl(value);
    case MSR_PEBS_ENABLE:
        return value ? STATUS_OVF_BUFFER : 0;
    case MSR_RTIT_CTL:
        return value & RTIT_CTL_TRACE_EN ? STATUS_TRACE_TOPA_PMI : 0;
    default:
        return 0;
    }
}

/* Haswell's fixed counter 0 sets its bit if it gets -1 or -2 while all counters are off. */
u64 caused_by(u32 msr, u64 value)
{
    unsigned counter = alias_value_bit(msr);
    if (counter != 64)
        return BIT(counter);
    if (alias_cfg_c_bit(msr) != 64)
        return value & CFG_C_PEBS_EN ? STATUS_ARCH_PEBS | STATUS_OVF_BUFFER : 0;
    return by_control(msr, value);
}
