#include "kernel/cpu/apic.h"
#include "pmu/class.h"
#include "pmu/counter.h"
#include "pmu/registers.h"
#include "pmu/sampling/apebs.h"
#include "pmu/sampling/pebs.h"
#include "pmu/second_names.h"
#include "pmu/state/snapshot.h"

static bool has_version1(const struct pmu_caps *caps)
{
    return caps->present;
}

static bool has_version2(const struct pmu_caps *caps)
{
    return caps->version >= 2;
}

static bool has_legacy_counters(const struct pmu_caps *caps)
{
    return caps->present && !caps->full_width;
}

static bool has_full_width(const struct pmu_caps *caps)
{
    return caps->present && caps->full_width;
}

static bool has_metrics(const struct pmu_caps *caps)
{
    return caps->perf_capabilities & PERF_CAP_METRICS;
}

/* CFG_B or CFG_C. */
static bool has_configs(const struct pmu_caps *caps)
{
    return caps->reloads || apebs_usable(caps);
}

static bool has_trace_cr3(const struct pmu_caps *caps)
{
    return caps_can_trace(caps) && caps->trace_features & TRACE_CR3;
}

static bool has_trace_range(const struct pmu_caps *caps)
{
    return caps_can_trace(caps) && caps->trace_ranges;
}

static bool always(const struct pmu_caps *caps)
{
    (void)caps;
    return true;
}

enum family { SINGLE, GP_FAMILY, FIXED_FAMILY, SECOND_GP, SECOND_FIXED, NETBURST_PAIR };

/*
 * In the order of restoring, everything being stopped before: values, then controls, then what starts. `ignored` bits
 * move by themselves: an SMI clears DEBUGCTL[12] on some CPUs (HSD52), and status bits 60, 61 and 63 are set by others.
 */
static const struct register_row {
    u32 first;
    enum family family;
    bool (*exists)(const struct pmu_caps *caps);
    u64 ignored;
    enum register_scope scope;
} rows[] = {
    {MSR_PMC(0), GP_FAMILY, has_legacy_counters, 0, SCOPE_THREAD},
    {MSR_A_PMC(0), GP_FAMILY, has_full_width, 0, SCOPE_THREAD},
    {MSR_FIXED_CTR(0), FIXED_FAMILY, has_version2, 0, SCOPE_THREAD},
    {MSR_PEBS_BASE, SINGLE, apebs_usable, 0, SCOPE_THREAD}, /* before what samples to it */
    {MSR_PEBS_INDEX, SINGLE, apebs_usable, 0, SCOPE_THREAD},
    {MSR_PMC_GP_CTR(0), SECOND_GP, has_configs, 0, SCOPE_THREAD},
    {MSR_PMC_FX_CTR(0), SECOND_FIXED, has_configs, 0, SCOPE_THREAD},
    {MSR_PERF_METRICS, SINGLE, has_metrics, ~0ull, SCOPE_THREAD}, /* behind fixed counter 3, which clears it */
    {MSR_PERFEVTSEL(0), GP_FAMILY, has_version1, 0, SCOPE_THREAD},
    {MSR_FIXED_CTR_CTRL, SINGLE, has_version2, 0, SCOPE_THREAD},
    {MSR_PEBS_LD_LAT, SINGLE, pebs_latency_exists, ~PEBS_LD_LAT_THRESHOLD, SCOPE_THREAD},
    {MSR_PEBS_DATA_CFG, SINGLE, pebs_adaptive, 0, SCOPE_THREAD},
    {MSR_DS_AREA, SINGLE, ds_usable, 0, SCOPE_THREAD},
    {MSR_PEBS_ENABLE, SINGLE, ds_usable, 0, SCOPE_THREAD},
    /* Somebody else's trace is not looked at: it moves, and nothing of it is ever written. */
    {MSR_RTIT_CTL, SINGLE, caps_can_trace, 0, SCOPE_THREAD}, /* the others can be written only while it is off */
    {MSR_RTIT_STATUS, SINGLE, caps_can_trace, ~(RTIT_STATUS_ERROR | RTIT_STATUS_STOPPED), SCOPE_THREAD},
    {MSR_RTIT_OUTPUT_BASE, SINGLE, caps_can_trace, ~0ull, SCOPE_THREAD}, /* these two mean nothing while it is off */
    {MSR_RTIT_OUTPUT_MASK_PTRS, SINGLE, caps_can_trace, ~0ull, SCOPE_THREAD},
    {MSR_RTIT_CR3_MATCH, SINGLE, has_trace_cr3, 0, SCOPE_THREAD},
    {MSR_RTIT_ADDR(0), SINGLE, has_trace_range, 0, SCOPE_THREAD},
    {MSR_RTIT_ADDR(1), SINGLE, has_trace_range, 0, SCOPE_THREAD},
    {MSR_PERF_GLOBAL_STATUS, SINGLE, has_version2, STATUS_ASCI | STATUS_OVF_UNCORE | STATUS_COND_CHGD, SCOPE_THREAD},
    {SNAPSHOT_LVTPC, SINGLE, always, LVT_STATUS, SCOPE_THREAD},
    {MSR_DEBUGCTL, SINGLE, caps_has_debugctl, DEBUGCTL_FREEZE_PERFMON_ON_PMI, SCOPE_THREAD},
    {MSR_PERF_GLOBAL_CTRL, SINGLE, has_version2, 0, SCOPE_THREAD},
    {MSR_NETBURST_COUNTER(NETBURST_IQ_COUNTER(4)), NETBURST_PAIR, netburst_pebs_usable, 0, SCOPE_CORE},
    {MSR_CRU_ESCR(2), NETBURST_PAIR, netburst_pebs_usable, 0, SCOPE_CORE},
    {MSR_FIRM_ESCR(0), NETBURST_PAIR, netburst_pebs_usable, 0, SCOPE_CORE},
    {MSR_RAT_ESCR(0), NETBURST_PAIR, netburst_pebs_usable, 0, SCOPE_CORE},
    {MSR_DS_AREA, SINGLE, netburst_pebs_usable, 0, SCOPE_THREAD},
    {MSR_PEBS_MATRIX_VERT, SINGLE, netburst_pebs_usable, 0, SCOPE_CORE},
    {MSR_PEBS_ENABLE, SINGLE, netburst_pebs_usable, 0, SCOPE_CORE},
    {MSR_CCCR(NETBURST_IQ_COUNTER(4)), NETBURST_PAIR, netburst_pebs_usable, CCCR_OVF, SCOPE_CORE},
};

/* Not saved, but named to tests that touch them: who else sees a write. */
static const struct {
    u32 msr;
    enum cpu_class class; /* CLASS_UNKNOWN: every class */
    enum register_scope scope;
} other_scopes[] = {
    {MSR_LBR_SELECT, CLASS_NEHALEM, SCOPE_CORE},
    {MSR_OFFCORE_RSP(0), CLASS_UNKNOWN, SCOPE_CORE},
    {MSR_OFFCORE_RSP(1), CLASS_UNKNOWN, SCOPE_CORE},
    {MSR_MISC_ENABLE, CLASS_UNKNOWN, SCOPE_PACKAGE},
    {MSR_PACKAGE_THERM_STATUS, CLASS_UNKNOWN, SCOPE_PACKAGE},
    {MSR_THERM_STATUS, CLASS_UNKNOWN, SCOPE_CORE},
};

static unsigned members(const struct pmu_caps *caps, const struct register_row *row)
{
    if (!row->exists(caps))
        return 0;
    if (row->family == NETBURST_PAIR)
        return NETBURST_SAMPLERS;
    if (row->family == SECOND_GP || row->family == SECOND_FIXED)
        return SECOND_NAMES;
    return row->family == GP_FAMILY ? GP_COUNTERS_MAX : row->family == FIXED_FAMILY ? FIXED_COUNTERS_MAX : 1;
}

/* Of second names those that are no names of registers saved already. */
static u64 registers_there(const struct pmu_caps *caps, const struct register_row *row)
{
    switch (row->family) {
    case GP_FAMILY:
        return caps->gp_bitmap;
    case FIXED_FAMILY:
        return caps->fixed_bitmap;
    case SECOND_GP:
        return second_names_gp(caps) & (SECOND_CFG_B | SECOND_CFG_C);
    case SECOND_FIXED:
        return second_names_fixed(caps) & (SECOND_CFG_B | SECOND_CFG_C);
    default:
        return ~0ull;
    }
}

static bool enumerated(const struct pmu_caps *caps, const struct register_row *row, unsigned n)
{
    return registers_there(caps, row) >> n & 1;
}

unsigned snapshot_registers(const struct pmu_caps *caps, u32 list[SNAPSHOT_MAX])
{
    unsigned count = 0;
    for_each_row (rows, row)
        for (unsigned n = 0; n < members(caps, row); n++)
            if (enumerated(caps, row, n) && count < SNAPSHOT_MAX)
                list[count++] = row->first + n;
    return count;
}

static const struct register_row *row_of(const struct pmu_caps *caps, u32 msr)
{
    for_each_row (rows, row)
        if (msr >= row->first && msr - row->first < members(caps, row) && enumerated(caps, row, msr - row->first))
            return row;
    return NULL;
}

enum register_scope register_scope(const struct pmu_caps *caps, u32 msr)
{
    for_each_row (other_scopes, row)
        if (row->msr == msr && (row->class == CLASS_UNKNOWN || row->class == cpu_class(caps)))
            return row->scope;
    const struct register_row *row = row_of(caps, msr);
    return row ? row->scope : SCOPE_THREAD;
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

/* Does the register move by itself: the value of a counter that counted at the snapshot, or one that reads at will? */
static bool moving(const struct pmu_caps *caps, const struct snapshot *snapshot, const struct register_row *row,
                   u32 msr)
{
    unsigned n = msr - row->first;
    if (row->first == MSR_PMC(0) || row->first == MSR_A_PMC(0))
        return gp_running(caps, snapshot, n);
    if (row->first == MSR_PERFEVTSEL(0))
        return !class_evtsel_reads_back(caps, n);
    if (row->first == MSR_NETBURST_COUNTER(NETBURST_IQ_COUNTER(4)))
        return value_of(snapshot, MSR_CCCR(NETBURST_IQ_COUNTER(4) + n)) & CCCR_ENABLE;
    return row->first == MSR_FIXED_CTR(0) && fixed_running(snapshot, n);
}

static bool differs(const struct pmu_caps *caps, const struct snapshot *from, const struct snapshot_entry *entry,
                    const struct snapshot *to)
{
    const struct register_row *row = row_of(caps, entry->msr);
    const struct snapshot_entry *other = snapshot_find(to, entry->msr);
    if (!row || !other)
        return false;
    if (entry->readable != other->readable)
        return true;
    return !moving(caps, from, row, entry->msr) && ((entry->value ^ other->value) & ~row->ignored);
}

const struct snapshot_entry *snapshot_difference(const struct pmu_caps *caps, const struct snapshot *from,
                                                 const struct snapshot *to)
{
    for (unsigned i = 0; i < from->count; i++)
        if (differs(caps, from, &from->entry[i], to))
            return &from->entry[i];
    return NULL;
}

bool snapshot_restorable(const struct pmu_caps *caps, const struct snapshot_entry *entry)
{
    const struct register_row *row = row_of(caps, entry->msr);
    if (!row || !entry->readable)
        return true;
    if (row->first == MSR_PMC(0))
        return legacy_write_holds(caps->gp_width, entry->value);
    if (entry->msr != MSR_PERF_GLOBAL_STATUS)
        return true;
    return !(entry->value & (caps->version >= 4 ? STATUS_COND_CHGD | STATUS_ARCH_PEBS : ~0ull));
}
