/* SPDX-License-Identifier: BSD-2-Clause */
/* PMU registers and LVTPC, saved and compared; pmu/run/bracket.h restores them. */
#include "kernel/interrupt/apic.h"
#include "kernel/register/msr.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/counters.h"
#include "pmu/registers.h"
#include "pmu/state/handoff.h"
#include "pmu/state/register.h"

/* The part that a row belongs to; 0: it is not saved. */
static unsigned part_of(const struct register_row *row, const struct pmu_caps *caps)
{
    enum register_keep keep = register_keep_on(row, caps);
    if (keep == HANDED_BACK)
        return SNAPSHOT_RECORDS;
    if (keep != KEPT)
        return 0;
    return register_scope_on(row, caps) == THREAD ? SNAPSHOT_OWN : SNAPSHOT_SHARED;
}

static void add_row(const struct register_row *row, const struct pmu_caps *caps, unsigned part,
                    struct snapshot *snapshot)
{
    for (unsigned n = 0; n < row->family.count && snapshot->count < SNAPSHOT_MAX; n++)
        if (register_is_there(row, caps, n))
            snapshot->entry[snapshot->count++] =
                (struct snapshot_entry){.msr = register_index(row, n), .row = row, .part = (u8)part};
}

void snapshot_list(const struct pmu_caps *caps, unsigned parts, struct snapshot *snapshot)
{
    snapshot->count = 0;
    for (enum register_phase phase = 0; phase < REGISTER_PHASES; phase++)
        for_each_register (row) {
            unsigned part = row->phase == phase ? part_of(row, caps) & parts : 0;
            if (part)
                add_row(row, caps, part, snapshot);
        }
}

const struct snapshot_entry *snapshot_find(const struct snapshot *snapshot, u32 msr)
{
    for (unsigned i = 0; i < snapshot->count; i++)
        if (snapshot->entry[i].msr == msr)
            return &snapshot->entry[i];
    return NULL;
}

static u64 value_of(const struct snapshot *snapshot, u32 msr)
{
    const struct snapshot_entry *entry = snapshot_find(snapshot, msr);
    return entry && entry->readable ? entry->value : 0;
}

static bool gp_running(const struct pmu_caps *caps, const struct snapshot *snapshot, unsigned n)
{
    bool global = caps->version < 2 || (value_of(snapshot, MSR_PERF_GLOBAL_CTRL) & GLOBAL_GP(n));
    return global && (value_of(snapshot, MSR_PERFEVTSEL(n)) & EVTSEL_EN);
}

static bool fixed_running(const struct snapshot *snapshot, unsigned i)
{
    return (value_of(snapshot, MSR_PERF_GLOBAL_CTRL) & GLOBAL_FIXED(i)) &&
           (value_of(snapshot, MSR_FIXED_CTR_CTRL) & (FIXED_OS(i) | FIXED_USR(i)));
}

/* Does the register change by itself: a counter that was on at the snapshot, or a register that may read old values? */
static bool moving(const struct pmu_caps *caps, const struct snapshot *snapshot, const struct snapshot_entry *entry)
{
    unsigned n = register_number_in(entry->row, entry->msr);
    switch (entry->row->moving) {
    case GP_COUNTS:
        return gp_running(caps, snapshot, n);
    case FIXED_COUNTS:
        return fixed_running(snapshot, n);
    case NETBURST_COUNTS:
        return value_of(snapshot, MSR_CCCR(NETBURST_IQ_COUNTER(4) + n)) & CCCR_ENABLE;
    case READS_LATE:
        return !class_evtsel_reads_back(caps, n);
    default:
        return false;
    }
}

static bool differs(const struct pmu_caps *caps, const struct snapshot *from, const struct snapshot_entry *entry,
                    const struct snapshot_entry *now)
{
    if (!now || entry->part == SNAPSHOT_RECORDS || (entry->readable == now->readable && entry->value == now->value))
        return false;
    if (entry->readable != now->readable)
        return true;
    u64 ignored = entry->row->moves | (entry->row->falls & ~now->value);
    return !moving(caps, from, entry) && ((entry->value ^ now->value) & ~ignored);
}

const struct snapshot_entry *snapshot_difference(const struct pmu_caps *caps, const struct snapshot *from,
                                                 const struct snapshot *to)
{
    for (unsigned i = 0; i < from->count; i++) {
        const struct snapshot_entry *now = snapshot_find(to, from->entry[i].msr);
        if (differs(caps, from, &from->entry[i], now))
            return now;
    }
    return NULL;
}

/* The bits that a write of `msr` can set on this CPU. */
static u64 settable(const struct pmu_caps *caps, u32 msr)
{
    const struct register_row *row = register_row_of(caps, msr);
    unsigned n = register_number_in(row, msr);
    return register_is_there(row, caps, n) ? register_bits(row, caps, n) : 0;
}

bool snapshot_restorable(const struct pmu_caps *caps, const struct snapshot_entry *entry)
{
    if (!entry->readable)
        return true;
    if (entry->row->alias_where) /* a counter that its alias cannot write at full width */
        return legacy_write_holds(caps->gp_width, entry->value);
    return !entry->row->put_by || !(entry->value & ~settable(caps, entry->row->put_by));
}

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
