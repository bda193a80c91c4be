/* SPDX-License-Identifier: BSD-2-Clause */
/* RDPMC: counters by index, and PERF_METRICS. SDM 2B, "RDPMC". */
#include "reference/model/model_state.h"

/* The counter that RDPMC's index selects, as its bit in STATUS; -1: none. */
static int rdpmc_bit(const struct model *m, uint32_t index)
{
    if (index < m->p.gp_count)
        return (int)index;
    uint32_t i = index - RDPMC_FIXED(0);
    return index >= RDPMC_FIXED(0) && i < FIXED_MAX && model_has_fixed(m, i) ? (int)(32 + i) : -1;
}

/* Above CPL 0 RDPMC needs CR4.PCE. */
bool good_rdpmc_allowed(struct model *m, uint8_t cpl, bool pce)
{
    (void)m;
    return !cpl || pce;
}

/* Each existing counter can be read. */
bool good_rdpmc_answers(struct model *m, unsigned bit)
{
    (void)m, (void)bit;
    return true;
}

/* RDPMC reads the current value, at full width, at each CPL. */
uint64_t good_rdpmc_shown(struct model *m, unsigned bit, uint8_t cpl)
{
    (void)cpl;
    return bit < 32 ? m->counters.pmc[bit] : m->counters.fixed[bit - 32];
}

/* Above CPL 0 RDPMC reads 0 if the counter's control disables user reads: software finds out without a fault. */
bool good_rdpmc_hidden(struct model *m, unsigned bit, uint8_t cpl)
{
    if (!cpl)
        return false;
    if (bit < 32)
        return m->controls.evtsel[bit] & EVTSEL_RDPMC_USER_DISABLE;
    return m->controls.stored[STORED_FIXED_CTR_CTRL] & FIXED_RDPMC_USER_DISABLE(bit - 32);
}

bool model_rdpmc(struct model *m, uint32_t index, uint8_t cpl, bool pce, uint64_t *value)
{
    int bit = rdpmc_bit(m, index);
    if (!rule(m, rdpmc_allowed)(m, cpl, pce))
        return false;
    if (m->p.netburst_count)
        return model_netburst_rdpmc(m, index, value);
    if (index == RDPMC_METRICS)
        return model_metrics_rdpmc(m, value);
    if (bit < 0 || !rule(m, rdpmc_answers)(m, (unsigned)bit))
        return false;
    *value = rule(m, rdpmc_hidden)(m, (unsigned)bit, cpl) ? 0 : rule(m, rdpmc_shown)(m, (unsigned)bit, cpl);
    return true;
}
