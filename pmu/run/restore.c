/* SPDX-License-Identifier: BSD-2-Clause */
/* Restores PMU registers and LVTPC from a snapshot or from the hand-off. */
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/apic.h"
#include "kernel/register/msr.h"
#include "pmu/count/counter.h"
#include "pmu/count/netburst.h"
#include "pmu/gate/gate.h"
#include "pmu/gate/write.h"
#include "pmu/registers.h"
#include "pmu/run/bracket.h"
#include "pmu/state/handoff.h"

/* From version 4 on software can set status bits; all of them have been cleared before. */
static bool put_status(const struct pmu_caps *caps, u32 by, u64 value)
{
    u64 set = value & gate_bits(caps, by);
    return !set || wrmsr_try(by, set) == NO_FAULT;
}

/* Any write of the depth clears all records, so it is skipped if the depth is right already. */
static bool put_depth(u64 value)
{
    u64 now;
    return (rdmsr_try(MSR_ARCH_LBR_DEPTH, &now) == NO_FAULT && now == value) ||
           wrmsr_try(MSR_ARCH_LBR_DEPTH, value) == NO_FAULT;
}

static bool put(const struct pmu_caps *caps, const struct snapshot_entry *entry)
{
    if (!entry->readable)
        return true;
    if (entry->row->put_by)
        return put_status(caps, entry->row->put_by, entry->value);
    if (entry->msr == MSR_ARCH_LBR_DEPTH)
        return put_depth(entry->value);
    if (entry->row->moving == NETBURST_COUNTS)
        return netburst_put_counter(entry->msr, entry->value);
    if (entry->msr != REGISTER_LVTPC)
        return wrmsr_try(entry->msr, entry->value) == NO_FAULT;
    apic_write(APIC_LVT_PC, (u32)(entry->value & ~LVT_STATUS));
    return true;
}

/* Otherwise the branches of the code below would be recorded over the restored records. */
static void stop_recording(const struct pmu_caps *caps)
{
    u64 control;
    if (gate_bits(caps, MSR_ARCH_LBR_CTL))
        wrmsr_try(MSR_ARCH_LBR_CTL, 0);
    if (gate_bits(caps, MSR_DEBUGCTL) && rdmsr_try(MSR_DEBUGCTL, &control) == NO_FAULT && control & DEBUGCTL_LBR)
        wrmsr_try(MSR_DEBUGCTL, control & ~DEBUGCTL_LBR);
}

unsigned snapshot_restore(const struct pmu_caps *caps, const struct snapshot *snapshot)
{
    unsigned lost = 0;
    pmu_stop_all(caps);
    stop_recording(caps);
    for (unsigned i = 0; i < snapshot->count; i++) {
        const struct snapshot_entry *entry = &snapshot->entry[i];
        bool done = put(caps, entry);
        lost += !done || !snapshot_restorable(caps, entry);
    }
    return lost;
}

unsigned handoff_restore(void)
{
    const struct snapshot *found = handoff_of(cpu_index());
    return found ? snapshot_restore(handoff_caps(cpu_index()), found) : 0;
}
