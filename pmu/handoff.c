#include "pmu/handoff.h"
#include "kernel/apic.h"
#include "kernel/cpu_start.h"
#include "kernel/cpus.h"
#include "pmu/registers.h"

static struct handoff {
    bool captured, lvtpc_captured;
    struct pmu_caps caps;
    struct snapshot snapshot;
} handoffs[MAX_CPUS];

void handoff_capture(void)
{
    struct handoff *handoff = &handoffs[cpu_index()];
    struct caps_dump dump;
    if (handoff->captured)
        return;
    caps_read(&dump, &handoff->caps);
    snapshot_take(&handoff->caps, &handoff->snapshot);
    handoff->captured = true;
    handoff->lvtpc_captured = apic_present();
}

void handoff_capture_lvtpc(void)
{
    struct handoff *handoff = &handoffs[cpu_index()];
    if (!handoff->captured || handoff->lvtpc_captured || !apic_present())
        return;
    snapshot_add_lvtpc(&handoff->snapshot);
    handoff->lvtpc_captured = true;
}

bool handoff_value(u32 msr, u64 *value)
{
    const struct handoff *handoff = &handoffs[cpu_index()];
    if (!handoff->captured)
        return false;
    if (msr == MSR_X2APIC_REGISTER(APIC_LVT_PC))
        msr = SNAPSHOT_LVTPC;
    const struct snapshot_entry *entry = snapshot_find(&handoff->snapshot, msr);
    if (!entry || !entry->readable)
        return false;
    *value = entry->value;
    return true;
}

const struct snapshot *handoff_of(u32 cpu)
{
    return handoffs[cpu].captured ? &handoffs[cpu].snapshot : NULL;
}

const struct pmu_caps *handoff_caps(u32 cpu)
{
    return &handoffs[cpu].caps;
}

unsigned handoff_restore(void)
{
    const struct handoff *handoff = &handoffs[cpu_index()];
    return handoff->captured ? snapshot_restore(&handoff->caps, &handoff->snapshot) : 0;
}

void cpu_started(void)
{
    handoff_capture();
}
