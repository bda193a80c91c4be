/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/state/handoff.h"
#include "boot/boot_info.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpu_start.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/per_cpu.h"
#include "kernel/interrupt/apic.h"
#include "kernel/register/msr.h"
#include "pmu/registers.h"

#define SOON_US 1000
#define LATE_US 100000

static PER_CPU struct handoff {
    bool captured, lvtpc_captured, anew; /* anew: captured from another PMU than the machine started with */
    struct pmu_caps caps;
    struct snapshot snapshot;
    struct handoff_looks looks;
    u64 taken;     /* TSC of the first look */
    u32 late_us;   /* time of the third look */
} handoffs, found; /* found: of the machine's own PMU, while another one's is there */

/* Captures once: later calls on the same CPU do nothing. */
static void handoff_capture(void)
{
    struct handoff *handoff = &of_cpu(handoffs, cpu_index());
    struct caps_dump dump;
    if (handoff->captured)
        return;
    caps_read(&dump, &handoff->caps);
    snapshot_take(&handoff->caps, SNAPSHOT_ALL, &handoff->snapshot);
    handoff->taken = time_now();
    handoff->late_us = LATE_US;
    if (handoff->caps.version >= 4)
        handoff->looks.in_use_known = rdmsr_try(MSR_PERF_GLOBAL_INUSE, &handoff->looks.in_use) == NO_FAULT;
    handoff->captured = true;
    handoff->lvtpc_captured = apic_present();
}

void handoff_recapture(u32 late_us)
{
    struct handoff *handoff = &of_cpu(handoffs, cpu_index());
    if (!handoff->anew)
        of_cpu(found, cpu_index()) = *handoff;
    *handoff = (struct handoff){0};
    handoff->anew = true;
    handoff_capture();
    handoff->late_us = late_us;
}

void handoff_as_found(void)
{
    struct handoff *handoff = &of_cpu(handoffs, cpu_index());
    if (handoff->anew)
        *handoff = of_cpu(found, cpu_index());
}

/* Skips LVTPC, which does not change by itself, and branch records, whose changes mean nothing. */
static void look_again(struct handoff *handoff)
{
    u64 value;
    for (unsigned i = 0; i < handoff->snapshot.count; i++) {
        struct snapshot_entry *entry = &handoff->snapshot.entry[i];
        if (entry->msr != REGISTER_LVTPC && entry->part != SNAPSHOT_RECORDS && entry->readable &&
            rdmsr_try(entry->msr, &value) == NO_FAULT && value != entry->value)
            entry->moved = true;
    }
}

static u32 wait_until(const struct handoff *handoff, u32 us)
{
    u64 passed = time_us(time_now() - handoff->taken);
    if (passed < us)
        time_delay_us(us - passed);
    return (u32)time_us(time_now() - handoff->taken);
}

void handoff_look_again(void)
{
    struct handoff *handoff = &of_cpu(handoffs, cpu_index());
    struct handoff_looks *looks = &handoff->looks;
    if (!handoff->captured || !handoff->caps.present || looks->late_us)
        return;
    looks->soon_us = wait_until(handoff, SOON_US);
    look_again(handoff);
    looks->late_us = wait_until(handoff, handoff->late_us);
    look_again(handoff);
}

bool handoff_by_linux(void)
{
    return boot_by_kexec(boot_info()) && !of_cpu(handoffs, cpu_index()).anew;
}

const struct handoff_looks *handoff_looks(u32 cpu)
{
    return &of_cpu(handoffs, cpu).looks;
}

void handoff_note_smi(bool changed)
{
    struct handoff_looks *looks = &of_cpu(handoffs, cpu_index()).looks;
    looks->smi_seen = true;
    looks->smi_changes |= changed;
}

void handoff_capture_lvtpc(void)
{
    struct handoff *handoff = &of_cpu(handoffs, cpu_index());
    if (!handoff->captured || handoff->lvtpc_captured || !apic_present())
        return;
    snapshot_add_lvtpc(&handoff->snapshot);
    handoff->lvtpc_captured = true;
}

bool handoff_value(u32 msr, u64 *value)
{
    const struct handoff *handoff = &of_cpu(handoffs, cpu_index());
    if (!handoff->captured)
        return false;
    if (msr == MSR_X2APIC_REGISTER(APIC_LVT_PC))
        msr = REGISTER_LVTPC;
    const struct snapshot_entry *entry = snapshot_find(&handoff->snapshot, msr);
    if (!entry || !entry->readable)
        return false;
    *value = entry->value;
    return true;
}

const struct snapshot *handoff_of(u32 cpu)
{
    return of_cpu(handoffs, cpu).captured ? &of_cpu(handoffs, cpu).snapshot : NULL;
}

const struct pmu_caps *handoff_caps(u32 cpu)
{
    return &of_cpu(handoffs, cpu).caps;
}

void cpu_started(void)
{
    handoff_capture();
}
