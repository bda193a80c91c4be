#include "pmu/gate_bits.h"
#include "pmu/pebs.h"
#include "pmu/registers.h"

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
            *bits |= FIXED_FIELD(i) & ~(any && i <= FIXED_REF_CYCLES ? 0 : FIXED_ANY(i));
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

bool pebs_enable_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    (void)n;
    *bits = pebs_counter_bits(caps);
    return *bits != 0;
}

/* No area of the image's own yet: only "none" may be set. */
bool ds_area_bits(const struct pmu_caps *caps, unsigned n, u64 *bits)
{
    (void)n;
    *bits = 0;
    return ds_usable(caps);
}
