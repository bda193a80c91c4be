#include "harness/core/virtual.h"
#include "kernel/text/glob.h"
#include "pmu/registers.h"

/* ---- Registers */

static u64 gp(const struct pmu_caps *caps)
{
    return caps->gp_bitmap;
}

static u64 full_width(const struct pmu_caps *caps)
{
    return caps->full_width ? caps->gp_bitmap : 0;
}

static u64 fixed(const struct pmu_caps *caps)
{
    return caps->fixed_bitmap;
}

static u64 capabilities(const struct pmu_caps *caps)
{
    return caps->pdcm;
}

/* IA32_DEBUGCTL[12] freezes counters from version 2 on, where CPUID.1:ECX[15] is set. */
static u64 freeze(const struct pmu_caps *caps)
{
    return caps->pdcm && caps->version >= 2;
}

static u64 sampling(const struct pmu_caps *caps)
{
    return caps->ds && !caps->pebs_unavailable;
}

static u64 metrics(const struct pmu_caps *caps)
{
    return (caps->perf_capabilities & PERF_CAP_METRICS) != 0;
}

static u64 records(const struct pmu_caps *caps)
{
    return caps->lbr_depths != 0;
}

static u64 trace(const struct pmu_caps *caps)
{
    return caps->pt;
}

/* SDM 3B, "Architectural Performance Monitoring Version 1" to "Version 4"; SDM 2A, "CPUID", for the rest. */
static const struct {
    u32 first, count;
    u8 version;                                /* from this one on */
    u64 (*which)(const struct pmu_caps *caps); /* bit n: the n-th of the row; NULL: all */
} registers[] = {
    {MSR_PERFEVTSEL(0), GP_COUNTERS_MAX, 1, gp},
    {MSR_PMC(0), GP_COUNTERS_MAX, 1, gp},
    {MSR_A_PMC(0), GP_COUNTERS_MAX, 1, full_width},
    {MSR_FIXED_CTR(0), FIXED_COUNTERS_MAX, 2, fixed},
    {MSR_FIXED_CTR_CTRL, 1, 2, NULL},
    {MSR_PERF_GLOBAL_CTRL, 1, 2, NULL},
    {MSR_PERF_GLOBAL_STATUS, 1, 2, NULL},
    {MSR_PERF_GLOBAL_STATUS_RESET, 1, 2, NULL},
    {MSR_PERF_GLOBAL_STATUS_SET, 1, 4, NULL},
    {MSR_PERF_GLOBAL_INUSE, 1, 4, NULL},
    {MSR_DEBUGCTL, 1, 2, freeze},
    {MSR_PERF_CAPABILITIES, 1, 1, capabilities},
    {MSR_DS_AREA, 1, 1, sampling},
    {MSR_PEBS_ENABLE, 1, 1, sampling},
    {MSR_PERF_METRICS, 1, 1, metrics},
    {MSR_ARCH_LBR_CTL, 1, 1, records},
    {MSR_ARCH_LBR_DEPTH, 1, 1, records},
    {MSR_RTIT_CTL, 1, 1, trace},
    {MSR_RTIT_STATUS, 1, 1, trace},
};

bool virtual_register(const struct pmu_caps *caps, u32 msr)
{
    for_each_row (registers, row)
        if (msr >= row->first && msr < row->first + row->count)
            return caps->version >= row->version && (!row->which || row->which(caps) >> (msr - row->first) & 1);
    return false;
}

/* ---- Promises that only silicon makes */

/*
 * Time is the host's to give, and what happens meanwhile is not told to a guest: how long anything takes, in cycles
 * above all, which sleep the core is in, and when firmware has it.
 */
static const struct {
    const char *test, *labels; /* a glob, globs with commas between */
    const char *what;
} unpromised[] = {
    {"pmi.skid", "too-late,too-late-by-nmi", "skid"},
    {"pebs.latency", "*", "latency"},
    {"pebs.time-stamp", "*", "the host's time in a record"},
    {"fixed.cycles", "*", "cycles"},
    {"gp.cycles", "*", "cycles"},
    {"gp.cycles-agree", "*", "cycles"},
    {"gp.halt", "*", "cycles of a sleep"},
    {"fixed.metrics", "*", "pipeline slots"},
    {"topdown.levels", "*", "pipeline slots"},
    {"freeze.smm", "*", "SMIs"},
    {"handoff.smi", "*", "SMIs"},
    {"handoff.canary", "*", "SMIs"},
    {"access.deep-sleep", "*", "C-states"},
};

const char *virtual_unpromised(const char *test, const char *label)
{
    for_each_row (unpromised, row)
        if (glob_match(row->test, test) && glob_list_match(row->labels, label))
            return row->what;
    return NULL;
}
