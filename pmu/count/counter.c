/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/count/counter.h"
#include "kernel/cpu/cpus.h"
#include "pmu/count/netburst.h"
#include "pmu/cpu/pebs.h"
#include "pmu/gate/gate.h"
#include "pmu/gate/write.h"

static PER_CPU const struct counter_vary *varied;

void counter_vary(const struct counter_vary *vary)
{
    of_cpu(varied, cpu_index()) = vary;
}

static u64 vary_control(struct counter counter, u64 control)
{
    const struct counter_vary *vary = of_cpu(varied, cpu_index());
    return vary ? vary->control(vary->argument, counter, control) : control;
}

static u64 vary_started(u64 mask)
{
    const struct counter_vary *vary = of_cpu(varied, cpu_index());
    return vary ? vary->started(vary->argument, mask) : mask;
}

static u64 gp_control(u16 event, unsigned flags)
{
    return EVTSEL_ENCODING(event) | (flags & COUNT_OS ? EVTSEL_OS : 0) | (flags & COUNT_USR ? EVTSEL_USR : 0) |
           (flags & COUNT_INT ? EVTSEL_INT : 0);
}

static u64 fixed_control(unsigned i, unsigned flags)
{
    return (flags & COUNT_OS ? FIXED_OS(i) : 0) | (flags & COUNT_USR ? FIXED_USR(i) : 0) |
           (flags & COUNT_INT ? FIXED_PMI(i) : 0);
}

static void set_fixed_control(unsigned i, u64 control)
{
    wrmsr(MSR_FIXED_CTR_CTRL, (rdmsr(MSR_FIXED_CTR_CTRL) & ~FIXED_FIELD(i)) | control);
}

static void stop(struct counter counter)
{
    if (counter.fixed)
        set_fixed_control(counter.index, 0);
    else
        wrmsr(MSR_PERFEVTSEL(counter.index), 0);
}

/* The control stays clear while the value is written, because counters are only written while stopped. */
void counter_setup(struct counter counter, u16 event, unsigned flags, u64 value)
{
    stop(counter);
    counter_write(counter, value);
    if (counter.fixed)
        set_fixed_control(counter.index, vary_control(counter, fixed_control(counter.index, flags)));
    else
        wrmsr(MSR_PERFEVTSEL(counter.index),
              vary_control(counter, gp_control(event, flags) | (pmu_caps()->version >= 2 ? EVTSEL_EN : 0)));
}

u64 counter_read(struct counter counter)
{
    return rdmsr(counter.msr);
}

bool counter_write(struct counter counter, u64 value)
{
    bool legacy = !counter.fixed && counter.msr == (u32)MSR_PMC(counter.index);
    if (legacy && !legacy_write_holds(counter.width, value))
        return false;
    wrmsr(counter.msr, value);
    return true;
}

void counter_clear(struct counter counter)
{
    stop(counter);
    wrmsr(counter.msr, 0);
}

/* Version 1: switches the counter of the lowest bit by its own enable bit. */
static struct switch_write switch_by_enable(u64 mask)
{
    u32 msr = MSR_PERFEVTSEL((u32)__builtin_ctzll(mask | BIT(63)));
    u64 control = rdmsr(msr);
    return (struct switch_write){.msr = msr, .on = control | EVTSEL_EN, .off = control & ~EVTSEL_EN};
}

struct switch_write counters_switch(const struct pmu_caps *caps, u64 mask)
{
    if (caps->version < 2)
        return switch_by_enable(mask);
    return (struct switch_write){.msr = MSR_PERF_GLOBAL_CTRL, .on = vary_started(mask), .off = 0};
}

struct switch_write fixed_switch(u64 mask)
{
    u64 control = rdmsr(MSR_FIXED_CTR_CTRL);
    wrmsr(MSR_FIXED_CTR_CTRL, 0);
    wrmsr(MSR_PERF_GLOBAL_CTRL, mask);
    return (struct switch_write){.msr = MSR_FIXED_CTR_CTRL, .on = control, .off = 0};
}

void fixed_switch_end(const struct switch_write *start_stop)
{
    wrmsr(MSR_PERF_GLOBAL_CTRL, 0);
    wrmsr(MSR_FIXED_CTR_CTRL, start_stop->on);
}

/* If the CPU refuses the write, nothing of ours can be on there. */
static void put_off(u32 msr)
{
    wrmsr_try(msr, 0);
}

static void put_off_sampling(const struct pmu_caps *caps)
{
    u64 sampling;
    if (ds_usable(caps) && rdmsr_try(MSR_PEBS_ENABLE, &sampling) == NO_FAULT && sampling)
        put_off(MSR_PEBS_ENABLE);
}

void pmu_stop_all(const struct pmu_caps *caps)
{
    u64 status;
    netburst_stop(caps);
    if (!caps->present)
        return;
    if (caps->version >= 2)
        put_off(MSR_PERF_GLOBAL_CTRL);
    for_each_gp (caps, n)
        put_off(MSR_PERFEVTSEL(n));
    if (caps->version < 2)
        return;
    put_off(MSR_FIXED_CTR_CTRL);
    put_off_sampling(caps);
    if (rdmsr_try(MSR_PERF_GLOBAL_STATUS, &status) == NO_FAULT)
        pmu_status_clear(status);
}

u64 pmu_status(void)
{
    return pmu_caps()->version >= 2 ? rdmsr(MSR_PERF_GLOBAL_STATUS) : 0;
}

void pmu_status_clear(u64 bits)
{
    bits &= gate_bits(pmu_caps(), MSR_PERF_GLOBAL_STATUS_RESET);
    if (bits)
        wrmsr(MSR_PERF_GLOBAL_STATUS_RESET, bits);
}
