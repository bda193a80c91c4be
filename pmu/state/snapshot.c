#include "pmu/state/snapshot.h"
#include "kernel/cpu/apic.h"
#include "kernel/cpu/msr.h"
#include "pmu/counter.h"
#include "pmu/gate/gate.h"
#include "pmu/registers.h"

static void add(struct snapshot *snapshot, u32 msr)
{
    struct snapshot_entry *entry = &snapshot->entry[snapshot->count];
    entry->msr = msr;
    entry->value = 0;
    entry->readable = msr == SNAPSHOT_LVTPC || rdmsr_try(msr, &entry->value) == NO_FAULT;
    if (msr == SNAPSHOT_LVTPC)
        entry->value = apic_read(APIC_LVT_PC);
    snapshot->count++;
}

void snapshot_take(const struct pmu_caps *caps, struct snapshot *snapshot)
{
    u32 list[SNAPSHOT_MAX];
    unsigned count = snapshot_registers(caps, list);
    snapshot->count = 0;
    for (unsigned i = 0; i < count; i++)
        if (list[i] != SNAPSHOT_LVTPC || apic_present())
            add(snapshot, list[i]);
}

void snapshot_add_lvtpc(struct snapshot *snapshot)
{
    if (snapshot->count < SNAPSHOT_MAX && apic_present())
        add(snapshot, SNAPSHOT_LVTPC);
}

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
