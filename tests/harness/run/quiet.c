/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of the calling CPU's PMU at the start of every test. */
#include "harness/run/run.h"
#include "kernel/interrupt/apic.h"
#include "kernel/register/msr.h"
#include "pmu/area/ds.h"
#include "pmu/count/counter.h"
#include "pmu/count/netburst.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/pebs.h"
#include "pmu/gate/gate.h"
#include "pmu/gate/write.h"
#include "pmu/registers.h"
#include "pmu/run/pmi.h"
#include "pmu/sampling/sampled.h"
#include "pmu/sampling/trace.h"

static void quiet_counter(struct counter counter)
{
    if (!counter.fixed)
        wrmsr_try(MSR_PERFEVTSEL(counter.index), 0);
    wrmsr_try(counter.msr, 0);
}

static void clear_status(const struct pmu_caps *caps)
{
    u64 status;
    if (rdmsr_try(MSR_PERF_GLOBAL_STATUS, &status) == NO_FAULT && status)
        wrmsr_try(MSR_PERF_GLOBAL_STATUS_RESET, status & gate_bits(caps, MSR_PERF_GLOBAL_STATUS_RESET));
}

void pmu_quiet(const struct pmu_caps *caps)
{
    struct counter list[COUNTERS_MAX];
    if (caps->version >= 2)
        wrmsr_try(MSR_PERF_GLOBAL_CTRL, 0);
    netburst_stop(caps);
    if (apic_present()) {
        apic_write(APIC_TPR, 0);
        pmi_close();
    }
    if (caps->version >= 2)
        wrmsr_try(MSR_FIXED_CTR_CTRL, 0);
    if (ds_usable(caps) || cpu_class(caps) == CLASS_NETBURST)
        ds_area_release(caps);
    apebs_release(caps);
    trace_release();
    unsigned n = caps->present ? counters(caps, list) : 0;
    for (unsigned i = 0; i < n; i++)
        quiet_counter(list[i]);
    if (caps->version >= 2)
        clear_status(caps);
}

void pmu_end_freezing(const struct pmu_caps *caps)
{
    u64 control, freezes = DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI | DEBUGCTL_FREEZE_WHILE_SMM;
    if (gate_bits(caps, MSR_DEBUGCTL) && rdmsr_try(MSR_DEBUGCTL, &control) == NO_FAULT && control & freezes)
        wrmsr_try(MSR_DEBUGCTL, control & ~freezes);
}
