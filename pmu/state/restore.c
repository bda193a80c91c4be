#include "pmu/state/restore.h"
#include "kernel/cpu/apic.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/msr.h"
#include "pmu/counter.h"
#include "pmu/gate/gate.h"
#include "pmu/registers.h"
#include "pmu/state/handoff.h"

/* A status bit is set by software from version 4 on; all of them have been cleared before. */
static bool put_status(const struct pmu_caps *caps, u64 value)
{
    u64 set = value & gate_bits(caps, MSR_PERF_GLOBAL_STATUS_SET);
    return !set || wrmsr_try(MSR_PERF_GLOBAL_STATUS_SET, set) == NO_FAULT;
}

static bool put(const struct pmu_caps *caps, const struct snapshot_entry *entry)
{
    if (!entry->readable)
        return true;
    if (entry->msr == MSR_PERF_GLOBAL_STATUS)
        return put_status(caps, entry->value);
    if (entry->msr != SNAPSHOT_LVTPC)
        return wrmsr_try(entry->msr, entry->value) == NO_FAULT;
    apic_write(APIC_LVT_PC, (u32)(entry->value & ~LVT_STATUS));
    return true;
}

unsigned snapshot_restore(const struct pmu_caps *caps, const struct snapshot *snapshot)
{
    unsigned lost = 0;
    pmu_stop_all(caps);
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
