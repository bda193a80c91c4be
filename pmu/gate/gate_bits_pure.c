#include "pmu/gate/gate_bits.h"
#include "pmu/registers.h"
#include "pmu/sampling/pebs.h"
#include "pmu/sampling/pebs_record.h"

bool evtsel_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    *bits = MASK(31, 0);
    if (caps->version < 3 || caps->anythread_deprecated)
        *bits &= ~EVTSEL_ANY;
    if (caps->version >= 6)
        *bits &= ~EVTSEL_PC;
    if (caps->rtm)
        *bits |= EVTSEL_IN_TX | (n == 2 ? EVTSEL_IN_TXCP : 0);
    if (caps->perf_capabilities & PERF_CAP_PEBS_BASELINE)
        *bits |= EVTSEL_ADAPTIVE;
    return n < caps->gp_count;
}

bool pmc_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    *bits = counter_mask(caps->gp_width);
    return n < caps->gp_count;
}

bool a_pmc_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    return pmc_bits(caps, n, bits) && caps->full_width;
}

static bool fixed_exists(const struct pmu_caps *caps, unsigned i)
{
    return caps->fixed_bitmap >> i & 1;
}

bool fixed_ctr_bits(const struct pmu_caps *caps, unsigned i, u64 *bits)
{
    *bits = counter_mask(caps->fixed_width);
    return fixed_exists(caps, i);
}

bool fixed_control_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    (void)n;
    bool any = caps->version >= 3 && !caps->anythread_deprecated;
    *bits = 0;
    for (unsigned i = 0; i < FIXED_COUNTERS_MAX; i++)
        if (fixed_exists(caps, i))
            *bits |= (FIXED_FIELD(i) & ~(any && i <= FIXED_REF_CYCLES ? 0 : FIXED_ANY(i))) |
                     (pebs_adaptive(caps) ? FIXED_ADAPTIVE(i) : 0);
    return caps->version >= 2;
}

bool global_ctrl_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    (void)n;
    *bits = caps_counter_bits(caps);
    if (caps->perf_capabilities & PERF_CAP_METRICS)
        *bits |= GLOBAL_METRICS;
    return caps->version >= 2;
}

/* IA32_PERF_GLOBAL_OVF_CTRL in versions 2 and 3, IA32_PERF_GLOBAL_STATUS_RESET from version 4. */
bool status_reset_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    bool exists = global_ctrl_bits(caps, n, bits);
    *bits |= STATUS_OVF_BUFFER | STATUS_COND_CHGD;
    if (caps->version >= 3)
        *bits |= STATUS_OVF_UNCORE;
    if (caps->version >= 4)
        *bits |= STATUS_LBR_FRZ | STATUS_CTR_FRZ | STATUS_ASCI;
    if (caps->pt)
        *bits |= STATUS_TRACE_TOPA_PMI;
    return exists;
}

/* Below version 4 the same address is an uncore control of older client parts. */
bool status_set_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    bool exists = status_reset_bits(caps, n, bits);
    *bits &= ~STATUS_COND_CHGD;
    return exists && caps->version >= 4;
}

bool debugctl_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    (void)n;
    *bits = DEBUGCTL_LBR;
    if (caps->pdcm && caps->version > 1)
        *bits |= DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI;
    if (caps->perf_capabilities & PERF_CAP_FREEZE_WHILE_SMM)
        *bits |= DEBUGCTL_FREEZE_WHILE_SMM;
    return caps->intel && caps->family == 6 && caps->present;
}

/* Before the baseline, 35:32 let the counters that sample loads do so by latency. */
bool pebs_enable_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    struct pebs_event latency;
    (void)n;
    *bits = pebs_counter_bits(caps);
    if (*bits && !pebs_adaptive(caps) && pebs_event_of(caps, PEBS_LATENCY, &latency))
        *bits |= latency.counters << 32;
    return *bits != 0;
}

bool pebs_data_cfg_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    (void)n;
    *bits = PEBS_DATA_MEMINFO | PEBS_DATA_GPR | PEBS_DATA_XMM | PEBS_DATA_LBR | MASK(31, 24);
    if (pebs_format(caps) >= PEBS_FORMAT_VALUES)
        *bits |= PEBS_DATA_COUNTERS | caps_gp_bits(caps) << 32 | FIELD(55, 48, caps->fixed_bitmap);
    return pebs_adaptive(caps);
}

bool pebs_latency_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    (void)n;
    *bits = PEBS_LD_LAT_THRESHOLD;
    return pebs_latency_exists(caps);
}

/* None; or one of the image's own, which is no matter of bits. */
bool ds_area_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    (void)n;
    *bits = 0;
    return ds_usable(caps);
}

/* ---- NetBurst. SDM 3B, "Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)". */

static bool netburst_samples(const struct pmu_caps *caps)
{
    char text[PEBS_TEXT];
    return !netburst_pebs_unavailable(caps, text);
}

bool netburst_counter_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    (void)n;
    *bits = MASK(39, 0);
    return netburst_samples(caps);
}

bool cccr_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    (void)n;
    *bits = CCCR_ENABLE | CCCR_ESCR_SELECT | CCCR_ACTIVE_THREAD | CCCR_COMPARE | CCCR_COMPLEMENT | CCCR_THRESHOLD |
            CCCR_EDGE | CCCR_OVF_PMI_T0 | CCCR_OVF_PMI_T1 | CCCR_OVF;
    return netburst_samples(caps);
}

/* CRU_ESCR0, 1 and RAT_ESCR0, 1 with what lies between, or two of a pair. */
bool escr_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    *bits = MASK(30, 0);
    return netburst_samples(caps) && (n <= 1 || n >= MSR_RAT_ESCR(0) - MSR_CRU_ESCR(0));
}

bool netburst_pebs_enable_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    (void)n;
    *bits = PEBS_REPLAY_METRICS | PEBS_UOP_TAG | PEBS_MY_THREAD;
    return netburst_samples(caps);
}

bool matrix_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    (void)n;
    *bits = PEBS_MATRIX;
    return netburst_samples(caps);
}

bool netburst_ds_area_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    (void)n;
    *bits = 0;
    return netburst_samples(caps);
}
