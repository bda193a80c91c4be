/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which bits of IA32_PERF_GLOBAL_STATUS may be set because of what was written on the calling CPU: a bit is set by an
 * overflow of its counter, which must have been enabled or written, by a PMI that freezes, by sampling, by a trace, or
 * by IA32_PERF_GLOBAL_STATUS_SET. All others have no cause.
 */
#include "kernel/cpu/cpus.h"
#include "kernel/register/msr.h"
#include "pmu/cpu/counters.h"
#include "pmu/gate/gate.h"
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

static PER_CPU u64 causes, kept;

/* What a register holds now, as if that had been written. */
static u64 by_found(u32 msr)
{
    u64 value;
    return rdmsr_try(msr, &value) == NO_FAULT ? caused_by(msr, value) : 0;
}

void caused_begin(void)
{
    const struct pmu_caps *caps = pmu_caps();
    u64 standing = 0;
    if (caps->version >= 2 && rdmsr_try(MSR_PERF_GLOBAL_STATUS, &standing) == NO_FAULT)
        standing |= by_found(MSR_DEBUGCTL);
    if (caps->tracing)
        standing |= STATUS_TRACE_TOPA_PMI;
    of_cpu(causes, cpu_index()) = standing;
    of_cpu(kept, cpu_index()) = 0;
}

void caused_note(u32 msr, u64 value)
{
    of_cpu(causes, cpu_index()) |= caused_by(msr, value);
    if (msr == MSR_PERF_GLOBAL_STATUS_RESET)
        of_cpu(kept, cpu_index()) &= ~value;
}

/* Other software may have left a counter on, and then it overflows by itself. */
u64 caused_bits(void)
{
    u64 on = pmu_caps()->version >= 2 ? by_found(MSR_PERF_GLOBAL_CTRL) : 0;
    return of_cpu(causes, cpu_index()) | on;
}

void caused_keep(u64 bits)
{
    of_cpu(kept, cpu_index()) = bits;
}

u64 caused_kept(void)
{
    return of_cpu(kept, cpu_index());
}
