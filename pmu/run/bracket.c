/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/run/bracket.h"
#include "kernel/core/time.h"
#include "kernel/interrupt/apic.h"
#include "kernel/register/msr.h"
#include "pmu/gate/gate.h"
#include "pmu/registers.h"
#include "pmu/run/pmi.h"
#include "pmu/state/handoff.h"

#define GAP_FACTOR 5

static bool events_differ(const struct interrupt_counts *a, const struct interrupt_counts *b)
{
    return a->foreign_nmis != b->foreign_nmis || a->machine_checks != b->machine_checks ||
           a->apic_errors != b->apic_errors;
}

static bool strays_differ(const struct interrupt_counts *a, const struct interrupt_counts *b)
{
    return a->unexpected != b->unexpected || a->spurious != b->spurious;
}

/* Throttled at either reading, or in between. The log bit is sticky and not cleared here: only a change to 1 counts. */
static bool throttled(u64 opened, u64 closed)
{
    return ((opened | closed) & THERM_PROCHOT) || (closed & ~opened & THERM_PROCHOT_LOG);
}

unsigned bracket_judge(const struct bracket *bracket)
{
    const struct bracket_reading *opened = &bracket->opened, *closed = &bracket->closed;
    unsigned found = bracket->foreign ? BRACKET_FOREIGN_WRITE : BRACKET_CLEAN;
    if (opened->smi_count != closed->smi_count)
        found |= BRACKET_SMI;
    if (events_differ(&opened->counts, &closed->counts))
        found |= BRACKET_EVENT;
    if (strays_differ(&opened->counts, &closed->counts))
        found |= BRACKET_STRAY;
    if (throttled(opened->therm_status, closed->therm_status) ||
        throttled(opened->package_therm_status, closed->package_therm_status))
        found |= BRACKET_THROTTLED;
    return found;
}

u64 bracket_ticks(const struct bracket *bracket)
{
    return bracket->closed.tsc - bracket->opened.tsc;
}

bool bracket_gap(u64 ticks, u64 median)
{
    return median && ticks / GAP_FACTOR > median;
}

static u64 read_if(bool exists, u32 msr)
{
    u64 value = 0;
    if (exists)
        rdmsr_try(msr, &value);
    return value;
}

static struct bracket_reading read_surroundings(const struct pmu_caps *caps)
{
    return (struct bracket_reading){
        .tsc = time_now(),
        .smi_count = read_if(caps->smi_count, MSR_SMI_COUNT),
        .counts = interrupt_counts(),
        .therm_status = read_if(caps->therm_status, MSR_THERM_STATUS),
        .package_therm_status = read_if(caps->package_therm_status, MSR_PACKAGE_THERM_STATUS),
    };
}

static void find_foreign(struct bracket *bracket)
{
    struct gate_foreign changed = gate_foreign_overwritten();
    for (unsigned i = 0; i < OWN_REGISTERS && !changed.msr; i++)
        if (!gate_changed(i, &changed))
            changed.msr = 0;
    bracket->foreign = changed.msr;
    bracket->programmed = changed.programmed;
    bracket->found = changed.found;
}

/* Ignores the mask bit: the hardware sets it, and the test clears it. */
static void find_foreign_lvtpc(struct bracket *bracket)
{
    u32 wanted;
    if (bracket->foreign || !pmi_programmed(&wanted))
        return;
    u32 found = apic_read(APIC_LVT_PC) & ~(u32)(LVT_STATUS | LVT_MASKED);
    if (found == wanted)
        return;
    bracket->foreign = REGISTER_LVTPC;
    bracket->programmed = wanted;
    bracket->found = found;
}

void bracket_open(struct bracket *bracket, const struct pmu_caps *caps)
{
    gate_foreign_overwritten();
    bracket->foreign = 0;
    bracket->opened = read_surroundings(caps);
}

unsigned bracket_close(struct bracket *bracket, const struct pmu_caps *caps)
{
    bracket->closed = read_surroundings(caps);
    find_foreign(bracket);
    find_foreign_lvtpc(bracket);
    return bracket_judge(bracket);
}
