/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Values of the counters. A GP counter has two addresses: a write to IA32_PMCn is 32 bits sign-extended to the width,
 * one to IA32_A_PMCn takes the whole width and faults above it. SDM 3B, "Full-Width Writes to Performance Counters".
 */
#include "reference/model/model_state.h"

/* Both addresses show the counter, with zeros above its width. */
uint64_t good_gp_shown(struct model *m, unsigned n)
{
    return m->counters.pmc[n];
}

/* Each enumerated counter can be read. */
bool good_pmc_read(struct model *m, unsigned n, uint64_t *value)
{
    if (n >= m->p.gp_count)
        return false;
    *value = rule(m, gp_shown)(m, n);
    return true;
}

void model_counted_more(struct model *m, uint8_t bit, uint64_t counts)
{
    unsigned fixed = bit - 32u;
    if (bit < GP_MAX)
        m->counters.pmc[bit] = (m->counters.pmc[bit] + counts) & width_mask(m->p.gp_width);
    else if (fixed < FIXED_MAX)
        m->counters.fixed[fixed] = (m->counters.fixed[fixed] + counts) & width_mask(m->p.fixed_width);
}

/* EDX is ignored, and bit 31 is sign-extended. */
uint64_t good_pmc_extended(struct model *m, uint64_t value)
{
    (void)m;
    return (uint64_t)(int64_t)(int32_t)value;
}

/* Each enumerated counter can be written. */
bool good_pmc_write(struct model *m, unsigned n, uint64_t value)
{
    if (n >= m->p.gp_count)
        return false;
    m->counters.pmc[n] = rule(m, pmc_extended)(m, value) & width_mask(m->p.gp_width);
    return true;
}

bool model_a_pmc_read(struct model *m, unsigned n, uint64_t *value)
{
    if (n >= m->p.gp_count || !m->p.full_width)
        return false;
    *value = rule(m, gp_shown)(m, n);
    return true;
}

/* A write with a bit above the width is a #GP; a few CPUs ignore these bits. */
bool good_a_pmc_fits(struct model *m, uint64_t value)
{
    return !(value & ~width_mask(m->p.gp_width)) || m->p.gp_drops_upper;
}

/* The second address exists with IA32_PERF_CAPABILITIES[13], and takes the full width. */
bool good_a_pmc_write(struct model *m, unsigned n, uint64_t value)
{
    if (n >= m->p.gp_count || !m->p.full_width || !rule(m, a_pmc_fits)(m, value))
        return false;
    m->counters.pmc[n] = value & width_mask(m->p.gp_width);
    return true;
}

void model_counter_set(struct model *m, unsigned bit, uint64_t value)
{
    if (bit < 32)
        m->counters.pmc[bit] = value & width_mask(m->p.gp_width);
    else
        m->counters.fixed[bit - 32] = value & width_mask(m->p.fixed_width);
}

bool model_has_fixed(const struct model *m, unsigned i)
{
    return m->p.fixed_bitmap >> i & 1;
}

/* Each enumerated fixed counter can be read. */
bool good_fixed_read(struct model *m, unsigned i, uint64_t *value)
{
    *value = m->counters.fixed[i];
    return model_has_fixed(m, i);
}

/* A fixed counter is always written at full width; a bit above it is a #GP, but a few CPUs ignore it. */
bool good_fixed_write(struct model *m, unsigned i, uint64_t value)
{
    uint64_t mask = width_mask(m->p.fixed_width);
    if (!model_has_fixed(m, i) || ((value & ~mask) && !m->p.fixed_drops_upper))
        return false;
    m->counters.fixed[i] = value & mask;
    return true;
}
