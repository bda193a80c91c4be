#include "kernel/cpu/apic.h"
#include "pmu/cpu/apebs.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/counters.h"
#include "pmu/cpu/lbr.h"
#include "pmu/cpu/pebs.h"
#include "pmu/cpu/second_names.h"
#include "pmu/registers.h"
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
    return caps->metrics;
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

/* ---- Branch records. Those of the oldest CPUs are not known to be writable: nobody writes them. */

static bool records_known(const struct pmu_caps *caps, bool architectural)
{
    struct lbr_stack stack;
    return lbr_stack(caps, &stack) && stack.writable && stack.architectural == architectural;
}

static bool has_top(const struct pmu_caps *caps)
{
    return records_known(caps, false);
}

static bool has_info(const struct pmu_caps *caps)
{
    struct lbr_stack stack;
    return has_top(caps) && lbr_stack(caps, &stack) && stack.info;
}

static bool has_architectural_records(const struct pmu_caps *caps)
{
    return records_known(caps, true);
}

static bool has_record_control(const struct pmu_caps *caps)
{
    return caps->lbr_depths;
}

/* Nehalem's and Westmere's is the core's. SDM 3B, "Filtering of Last Branch Records". */
static bool selects_by_core(const struct pmu_caps *caps)
{
    return has_lbr_select(caps) && cpu_class(caps) == CLASS_NEHALEM;
}

static bool selects_by_thread(const struct pmu_caps *caps)
{
    return has_lbr_select(caps) && cpu_class(caps) != CLASS_NEHALEM;
}

static bool has_offcore_rsp(const struct pmu_caps *caps)
{
    return offcore_rsps(caps);
}

static bool always(const struct pmu_caps *caps)
{
    (void)caps;
    return true;
}

enum family { SINGLE, GP_FAMILY, FIXED_FAMILY, SECOND_GP, SECOND_FIXED, OFFCORE_FAMILY, PAIR, RANGES, RECORDS };

/*
 * In the order of restoring, everything being stopped before: values, then controls, then what starts. `ignored` bits
 * move by themselves: status bits 60, 61 and 63 are set by others. `falls`: an SMI clears DEBUGCTL[12] on some CPUs
 * (HSD52), and none sets it. A test may leave the contents of branch records and their top as it likes: recording
 * changes them with every branch, and who records begins by clearing them; their owner gets them back.
 */
static const struct register_row {
    u32 first;
    enum family family;
    bool (*exists)(const struct pmu_caps *caps);
    u64 ignored;
    enum snapshot_part part;
    u64 falls;
} rows[] = {
    {MSR_PMC(0), GP_FAMILY, has_legacy_counters, 0, SNAPSHOT_OWN, 0},
    {MSR_A_PMC(0), GP_FAMILY, has_full_width, 0, SNAPSHOT_OWN, 0},
    {MSR_FIXED_CTR(0), FIXED_FAMILY, has_version2, 0, SNAPSHOT_OWN, 0},
    {MSR_PEBS_BASE, SINGLE, apebs_usable, 0, SNAPSHOT_OWN, 0}, /* before what samples to it */
    {MSR_PEBS_INDEX, SINGLE, apebs_usable, 0, SNAPSHOT_OWN, 0},
    {MSR_PMC_GP_CTR(0), SECOND_GP, has_configs, 0, SNAPSHOT_OWN, 0},
    {MSR_PMC_FX_CTR(0), SECOND_FIXED, has_configs, 0, SNAPSHOT_OWN, 0},
    {MSR_PERF_METRICS, SINGLE, has_metrics, ~0ull, SNAPSHOT_OWN, 0}, /* behind fixed counter 3, which clears it */
    {MSR_PERFEVTSEL(0), GP_FAMILY, has_version1, 0, SNAPSHOT_OWN, 0},
    {MSR_FIXED_CTR_CTRL, SINGLE, has_version2, 0, SNAPSHOT_OWN, 0},
    {MSR_PEBS_LD_LAT, SINGLE, pebs_latency_exists, ~PEBS_LD_LAT_THRESHOLD, SNAPSHOT_OWN, 0},
    {MSR_OFFCORE_RSP(0), OFFCORE_FAMILY, has_offcore_rsp, 0, SNAPSHOT_SHARED, 0},
    {MSR_PEBS_DATA_CFG, SINGLE, pebs_adaptive, 0, SNAPSHOT_OWN, 0},
    {MSR_DS_AREA, SINGLE, ds_usable, 0, SNAPSHOT_OWN, 0},
    {MSR_PEBS_ENABLE, SINGLE, ds_usable, 0, SNAPSHOT_OWN, 0},
    /* Somebody else's trace is not looked at: it moves, and nothing of it is ever written. */
    {MSR_RTIT_CTL, SINGLE, caps_can_trace, 0, SNAPSHOT_OWN, 0}, /* the others can be written only while it is off */
    {MSR_RTIT_STATUS, SINGLE, caps_can_trace, ~(RTIT_STATUS_ERROR | RTIT_STATUS_STOPPED), SNAPSHOT_OWN, 0},
    {MSR_RTIT_OUTPUT_BASE, SINGLE, caps_can_trace, ~0ull, SNAPSHOT_OWN, 0}, /* these two mean nothing while it is off */
    {MSR_RTIT_OUTPUT_MASK_PTRS, SINGLE, caps_can_trace, ~0ull, SNAPSHOT_OWN, 0},
    {MSR_RTIT_CR3_MATCH, SINGLE, has_trace_cr3, 0, SNAPSHOT_OWN, 0},
    {MSR_RTIT_ADDR(0), RANGES, caps_can_trace, 0, SNAPSHOT_OWN, 0},
    {MSR_PERF_GLOBAL_STATUS, SINGLE, has_version2, STATUS_ASCI | STATUS_OVF_UNCORE | STATUS_COND_CHGD, SNAPSHOT_OWN, 0},
    {SNAPSHOT_LVTPC, SINGLE, always, LVT_STATUS, SNAPSHOT_OWN, 0},
    {MSR_ARCH_LBR_DEPTH, SINGLE, has_record_control, 0, SNAPSHOT_OWN, 0}, /* a write clears all records */
    {MSR_ARCH_LBR_FROM(0), RECORDS, has_architectural_records, ~0ull, SNAPSHOT_RECORDS, 0},
    {MSR_ARCH_LBR_TO(0), RECORDS, has_architectural_records, ~0ull, SNAPSHOT_RECORDS, 0},
    {MSR_ARCH_LBR_INFO(0), RECORDS, has_architectural_records, ~0ull, SNAPSHOT_RECORDS, 0},
    {MSR_LBR_TOS, SINGLE, has_top, ~0ull, SNAPSHOT_RECORDS, 0},
    {MSR_LBR_FROM(0), RECORDS, has_top, ~0ull, SNAPSHOT_RECORDS, 0},
    {MSR_LBR_TO(0), RECORDS, has_top, ~0ull, SNAPSHOT_RECORDS, 0},
    {MSR_LBR_INFO(0), RECORDS, has_info, ~0ull, SNAPSHOT_RECORDS, 0},
    {MSR_LBR_SELECT, SINGLE, selects_by_thread, 0, SNAPSHOT_OWN, 0},
    {MSR_LBR_SELECT, SINGLE, selects_by_core, 0, SNAPSHOT_SHARED, 0},
    {MSR_ARCH_LBR_CTL, SINGLE, has_record_control, 0, SNAPSHOT_OWN, 0},
    {MSR_DEBUGCTL, SINGLE, caps_has_debugctl, 0, SNAPSHOT_OWN, DEBUGCTL_FREEZE_PERFMON_ON_PMI},
    {MSR_PERF_GLOBAL_CTRL, SINGLE, has_version2, 0, SNAPSHOT_OWN, 0},
    {MSR_NETBURST_COUNTER(NETBURST_IQ_COUNTER(4)), PAIR, netburst_pebs_usable, 0, SNAPSHOT_SHARED, 0},
    {MSR_CRU_ESCR(0), PAIR, netburst_pebs_usable, 0, SNAPSHOT_SHARED, 0},
    {MSR_CRU_ESCR(2), PAIR, netburst_pebs_usable, 0, SNAPSHOT_SHARED, 0},
    {MSR_CRU_ESCR(4), PAIR, netburst_pebs_usable, 0, SNAPSHOT_SHARED, 0},
    {MSR_FIRM_ESCR(0), PAIR, netburst_pebs_usable, 0, SNAPSHOT_SHARED, 0},
    {MSR_RAT_ESCR(0), PAIR, netburst_pebs_usable, 0, SNAPSHOT_SHARED, 0},
    {MSR_DS_AREA, SINGLE, netburst_pebs_usable, 0, SNAPSHOT_OWN, 0},
    {MSR_PEBS_MATRIX_VERT, SINGLE, netburst_pebs_usable, 0, SNAPSHOT_SHARED, 0},
    {MSR_PEBS_ENABLE, SINGLE, netburst_pebs_usable, 0, SNAPSHOT_SHARED, 0},
    {MSR_CCCR(NETBURST_IQ_COUNTER(4)), PAIR, netburst_pebs_usable, CCCR_OVF, SNAPSHOT_SHARED, 0},
};

static u64 records(const struct pmu_caps *caps)
{
    struct lbr_stack stack;
    return lbr_stack(caps, &stack) ? counter_mask(stack.depth) : 0;
}

/* Which registers of a row there are: bit n, the n-th. Of second names those that name no register saved already. */
static u64 registers_there(const struct pmu_caps *caps, const struct register_row *row)
{
    if (!row->exists(caps))
        return 0;
    switch (row->family) {
    case GP_FAMILY:
        return caps->gp_bitmap;
    case FIXED_FAMILY:
        return caps->fixed_bitmap;
    case SECOND_GP:
        return second_names_gp(caps) & (SECOND_CFG_B | SECOND_CFG_C);
    case SECOND_FIXED:
        return second_names_fixed(caps) & (SECOND_CFG_B | SECOND_CFG_C);
    case OFFCORE_FAMILY:
        return counter_mask(offcore_rsps(caps));
    case PAIR:
        return 3;
    case RANGES:
        return counter_mask(2 * caps->trace_ranges);
    case RECORDS:
        return records(caps);
    default:
        return 1;
    }
}

void snapshot_list(const struct pmu_caps *caps, unsigned parts, struct snapshot *snapshot)
{
    snapshot->count = 0;
    for_each_row (rows, row) {
        u64 there = row->part & parts ? registers_there(caps, row) : 0;
        for (unsigned n = 0; n < 64; n++)
            if (there >> n & 1 && snapshot->count < SNAPSHOT_MAX)
                snapshot->entry[snapshot->count++] =
                    (struct snapshot_entry){.msr = row->first + n, .part = (u8)row->part};
    }
}

static const struct register_row *row_of(const struct pmu_caps *caps, u32 msr)
{
    for_each_row (rows, row)
        if (msr >= row->first && msr - row->first < 64 && registers_there(caps, row) >> (msr - row->first) & 1)
            return row;
    return NULL;
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
                    const struct snapshot_entry *now)
{
    if (!now || (entry->readable == now->readable && entry->value == now->value))
        return false;
    const struct register_row *row = row_of(caps, entry->msr);
    if (!row || row->part == SNAPSHOT_RECORDS)
        return false;
    if (entry->readable != now->readable)
        return true;
    u64 ignored = row->ignored | (row->falls & ~now->value);
    return !moving(caps, from, row, entry->msr) && ((entry->value ^ now->value) & ~ignored);
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
