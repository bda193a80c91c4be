/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/registers.h"
#include "pmu/run/bracket.h"

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
