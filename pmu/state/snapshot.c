/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/state/snapshot.h"
#include "kernel/interrupt/apic.h"
#include "kernel/register/msr.h"
#include "pmu/registers.h"

static void read(struct snapshot_entry *entry)
{
    if (entry->msr == REGISTER_LVTPC) {
        entry->readable = true;
        entry->value = apic_read(APIC_LVT_PC);
    } else {
        entry->readable = rdmsr_try(entry->msr, &entry->value) == NO_FAULT;
    }
}

void snapshot_take(const struct pmu_caps *caps, unsigned parts, struct snapshot *snapshot)
{
    unsigned kept = 0;
    snapshot_list(caps, parts, snapshot);
    for (unsigned i = 0; i < snapshot->count; i++) {
        if (snapshot->entry[i].msr == REGISTER_LVTPC && !apic_present())
            continue;
        snapshot->entry[kept] = snapshot->entry[i];
        read(&snapshot->entry[kept++]);
    }
    snapshot->count = kept;
}

void snapshot_add_lvtpc(struct snapshot *snapshot)
{
    struct snapshot_entry *entry = &snapshot->entry[snapshot->count];
    if (snapshot->count == SNAPSHOT_MAX || !apic_present())
        return;
    *entry = (struct snapshot_entry){
        .msr = REGISTER_LVTPC, .row = register_row_of(NULL, REGISTER_LVTPC), .part = SNAPSHOT_OWN};
    read(entry);
    snapshot->count++;
}
