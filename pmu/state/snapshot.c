#include "pmu/state/snapshot.h"
#include "kernel/cpu/apic.h"
#include "kernel/cpu/msr.h"
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
