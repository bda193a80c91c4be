/* SPDX-License-Identifier: BSD-2-Clause */
/* What the write gate's decision needs to know about the calling CPU, read when it is asked. */
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/apic.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/msr.h"
#include "pmu/area/ds.h"
#include "pmu/area/trace_area.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/counters.h"
#include "pmu/cpu/microcode.h"
#include "pmu/cpu/pebs.h"
#include "pmu/gate/gate.h"
#include "pmu/registers.h"

static PER_CPU const void *offered;

void gate_offer_update(const void *data)
{
    of_cpu(offered, cpu_index()) = data;
}

static bool update_offered(u64 address)
{
    return microcode_requested() && address && address == (u64)of_cpu(offered, cpu_index());
}

/* Is no counter on? By IA32_PERF_GLOBAL_CTRL, or on NetBurst by all CCCRs. */
static bool counters_stopped(void)
{
    u64 value;
    if (cpu_class(pmu_caps()) != CLASS_NETBURST)
        return rdmsr_try(MSR_PERF_GLOBAL_CTRL, &value) == NO_FAULT && value == 0;
    for (unsigned n = 0; n < NETBURST_COUNTERS; n++)
        if (rdmsr_try(MSR_CCCR(n), &value) != NO_FAULT || value & CCCR_ENABLE)
            return false;
    return true;
}

/* ---- Processor trace. */

/* A register after a write to `msr`; one that cannot be read leads nowhere that is ours. */
static u64 trace_register_after(u32 number, u32 msr, u64 value)
{
    u64 now;
    if (number == msr)
        return value;
    return rdmsr_try(number, &now) == NO_FAULT ? now : ~0ull;
}

/* Reads registers and table as they are now: a pointer that firmware left could lead past the table. */
static bool trace_kept_in(const struct own *own, u32 msr, u64 value)
{
    u64 control;
    if (rdmsr_try(MSR_RTIT_CTL, &control) != NO_FAULT)
        return false;
    if (control & ~own_written(own, MSR_RTIT_CTL) & RTIT_CTL_TRACE_EN)
        return false; /* other software traces */
    if (msr == MSR_RTIT_CTL && !(value & RTIT_CTL_TRACE_EN))
        return true; /* at once: a trace that is still on would show the rest of this check */
    struct trace_registers after = {msr == MSR_RTIT_CTL ? value : control,
                                    trace_register_after(MSR_RTIT_OUTPUT_BASE, msr, value),
                                    trace_register_after(MSR_RTIT_OUTPUT_MASK_PTRS, msr, value)};
    bool by_table = msr == MSR_RTIT_OUTPUT_BASE || msr == MSR_RTIT_CTL;
    return trace_stays_inside(pmu_caps(), msr, &after, by_table && trace_table_owned(after.base));
}

/* ---- Architectural PEBS. */

/* Reads the register that says where records go as it is now: it could still hold firmware's value. */
static bool records_kept_in(u32 msr, u64 value)
{
    if (msr == MSR_PEBS_BASE)
        return !value || apebs_area_owned(value);
    if (msr == MSR_PEBS_INDEX)
        return !value || (apebs_owned_bytes() && apebs_index_within(value, apebs_owned_bytes()));
    return alias_cfg_c_bit(msr) == 64 || !(value & CFG_C_PEBS_EN) || apebs_ready();
}

static bool sampled_to_own_area(const struct own *own)
{
    u64 area;
    if (own_samples(own))
        return apebs_ready();
    return rdmsr_try(MSR_DS_AREA, &area) == NO_FAULT && ds_area_owned(area);
}

struct gate_context gate_context_of(const struct own *own, bool walking, u32 msr, u64 value, struct gate_wants wants)
{
    struct gate_context context = {.x2apic = apic_x2_or_leaving()};
    context.walking = wants.walk && walking;
    context.unlocked = context.walking && dangerous("matrix");
    if (context.walking)
        wants.current = wants.stopped = true;
    if (wants.svm)
        context.svm = cpuid_has(CPUID_HYPERVISOR) && cpuid_has(CPUID_SVM);
    if (wants.current)
        context.current_known = rdmsr_try(msr, &context.current) == NO_FAULT;
    if (wants.sampling)
        context.sampling = own_written(own, MSR_PEBS_ENABLE) != 0 || own_samples(own);
    if (context.sampling && value)
        context.own_area = sampled_to_own_area(own);
    if (wants.area)
        context.area_offered = ds_area_owned(value);
    if (wants.trace)
        context.trace_kept_in = trace_kept_in(own, msr, value);
    if (wants.records)
        context.records_kept_in = records_kept_in(msr, value);
    if (wants.update)
        context.update_offered = update_offered(value);
    if (wants.stopped)
        context.counters_stopped = counters_stopped();
    return context;
}
