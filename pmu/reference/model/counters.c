/*
 * Values of the counters. A GP counter has two addresses: a write to IA32_PMCn is 32 bits sign-extended to the width,
 * one to IA32_A_PMCn takes the whole width and faults above it. SDM 3B, "Full-Width Writes to Performance Counters".
 */
#include "pmu/reference/model/model_state.h"

static bool last_gp(const struct model *m, unsigned n)
{
    return n == m->p.gp_count - 1u;
}

bool model_pmc_read(struct model *m, unsigned n, uint64_t *value)
{
    if (n >= m->p.gp_count || (last_gp(m, n) && deviates(m, DEV_ENUMERATED_COUNTER_FAULTS)))
        return false;
    *value = m->pmc[n];
    if (m->alias_lags[n] && deviates(m, DEV_A_PMC_ALIAS_LAGS))
        *value = (*value & MASK(31, 0)) | m->alias_upper[n];
    *value = model_deviate_counter_read(m, n, *value);
    return true;
}

/* EDX is ignored. */
bool model_pmc_write(struct model *m, unsigned n, uint64_t value)
{
    if (n >= m->p.gp_count)
        return false;
    uint64_t extended = (uint64_t)(int64_t)(int32_t)value;
    if (deviates(m, DEV_LEGACY_WRITE_NOT_SIGN_EXTENDED))
        extended = (uint32_t)value;
    if (deviates(m, DEV_LEGACY_WRITE_TAKES_EDX))
        extended = value;
    if (deviates(m, DEV_LEGACY_WRITE_EXTENDS_ONES))
        extended = value | ~MASK(31, 0);
    m->pmc[n] = m->written[n] = extended & width_mask(m->p.gp_width);
    m->alias_lags[n] = false;
    return true;
}

bool model_a_pmc_read(struct model *m, unsigned n, uint64_t *value)
{
    if (n >= m->p.gp_count || !m->p.full_width)
        return false;
    *value = model_deviate_counter_read(m, n, m->pmc[n]);
    return true;
}

bool model_a_pmc_write(struct model *m, unsigned n, uint64_t value)
{
    if (n >= m->p.gp_count || !m->p.full_width)
        return false;
    bool above = value & ~width_mask(m->p.gp_width);
    if (above && !m->p.gp_drops_upper && !deviates(m, DEV_FULL_WIDTH_WRITE_NO_GP))
        return false;
    m->alias_upper[n] = m->pmc[n] & ~MASK(31, 0);
    m->alias_lags[n] = true;
    m->pmc[n] = m->written[n] = value & width_mask(m->p.gp_width);
    return true;
}

static bool has_fixed(const struct model *m, unsigned i)
{
    return m->p.fixed_bitmap >> i & 1;
}

static bool last_fixed(const struct model *m, unsigned i)
{
    return !(m->p.fixed_bitmap >> (i + 1));
}

bool model_fixed_read(struct model *m, unsigned i, uint64_t *value)
{
    if (!has_fixed(m, i) || (last_fixed(m, i) && deviates(m, DEV_ENUMERATED_FIXED_FAULTS)))
        return false;
    *value = m->fixed[i] | m->fixed_above_width[i];
    return true;
}

bool model_fixed_write(struct model *m, unsigned i, uint64_t value)
{
    uint64_t mask = width_mask(m->p.fixed_width), above = value & ~mask;
    if (!has_fixed(m, i))
        return false;
    bool let_in = above && deviates(m, DEV_FIXED_WRITE_ABOVE_WIDTH_ACCEPTED);
    if (above && !let_in && !m->p.fixed_drops_upper)
        return false;
    m->fixed_above_width[i] = let_in ? above : 0;
    if (i == 1 && FIELD_GET(value, 31, 1) == MASK(30, 0) && deviates(m, DEV_FIXED_CTR1_WRITE_CORRUPT))
        value &= ~MASK(31, 1);
    m->fixed[i] = m->written[32 + i] = value & mask;
    if (i == FIXED_REF_CYCLES && (value & mask) > mask - 0x3f && deviates(m, DEV_FIXED2_WRITE_HIGH_RAISES_PMI))
        model_pmi_raise(m);
    return true;
}

/* The counter that RDPMC's index names, as its bit in STATUS; -1: none. SDM 2B, "RDPMC". */
static int rdpmc_bit(const struct model *m, uint32_t index)
{
    if (index < m->p.gp_count)
        return (int)index;
    uint32_t i = index - RDPMC_FIXED(0);
    return index >= RDPMC_FIXED(0) && i < FIXED_MAX && has_fixed(m, i) ? (int)(32 + i) : -1;
}

bool model_rdpmc(struct model *m, uint32_t index, uint8_t cpl, bool pce, uint64_t *value)
{
    int bit = rdpmc_bit(m, index);
    if (cpl && !pce && !deviates(m, DEV_RDPMC_USER_UNCHECKED))
        return false;
    if (m->p.netburst_count)
        return model_netburst_rdpmc(m, index, value);
    if (index == RDPMC_METRICS)
        return model_metrics_rdpmc(m, value);
    if (bit < 0)
        return false;
    if (bit >= 32 && deviates(m, DEV_RDPMC_FIXED_FAULTS))
        return false;
    if (bit == m->p.gp_count - 1 && deviates(m, DEV_RDPMC_GP_FAULTS))
        return false;
    *value = bit < 32 ? m->pmc[bit] : m->fixed[bit - 32];
    if (deviates(m, DEV_RDPMC_STALE))
        *value = m->written[bit];
    if (deviates(m, DEV_RDPMC_TRUNCATES))
        *value &= MASK(31, 0);
    return true;
}
