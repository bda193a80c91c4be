/*
 * Version 6: every counter under a second name, four MSRs apart: CTR, its value at full width; CFG_A, the event select
 * again; and for counters that can reload themselves CFG_B, whose overflow reloads this one, and CFG_C, from what
 * value. CPUID leaf 23H says which those are. A counter that reloads itself leaves its STATUS bit alone.
 */
#include "pmu/reference/model/model_state.h"

enum { CTR, CFG_A, CFG_B, CFG_C, ALIASES };

/* The low half of CFG_C is loaded; counters count up, so the rest is ones. */
#define RELOAD_LOW MASK(31, 0)

static bool reloads(uint16_t counters, unsigned n)
{
    return counters >> n & 1;
}

static bool write_rule(const struct write_rule *rule, uint64_t *where, uint64_t value)
{
    return model_rule_apply(rule, *where, value, where);
}

bool model_gp_alias_read(struct model *m, unsigned index, uint64_t *value)
{
    unsigned n = index / ALIASES, which = index % ALIASES;
    if (!m->p.aliases || n >= m->p.gp_count)
        return false;
    if (which == CFG_A)
        return rule(m, evtsel_read)(m, n, value);
    *value = which == CTR ? m->counters.pmc[n] : which == CFG_B ? m->alias.cfg_b[n] : m->alias.cfg_c[n];
    return which == CTR || reloads(m->p.reload_gp, n);
}

bool model_gp_alias_write(struct model *m, unsigned index, uint64_t value)
{
    unsigned n = index / ALIASES, which = index % ALIASES;
    if (!m->p.aliases || n >= m->p.gp_count)
        return false;
    if (which == CTR)
        return rule(m, a_pmc_write)(m, n, value);
    if (which == CFG_A)
        return model_evtsel_write(m, n, value);
    if (!reloads(m->p.reload_gp, n))
        return false;
    return which == CFG_B ? write_rule(&m->p.cfg_b, &m->alias.cfg_b[n], value)
                          : write_rule(&m->p.cfg_c, &m->alias.cfg_c[n], value);
}

/* Fixed counters have no CFG_A: FIXED_CTR_CTRL is theirs. */
bool model_fixed_alias_read(struct model *m, unsigned index, uint64_t *value)
{
    unsigned i = index / ALIASES, which = index % ALIASES;
    if (!m->p.aliases || which == CFG_A || !(m->p.fixed_bitmap >> i & 1))
        return false;
    if (which == CTR)
        return rule(m, fixed_read)(m, i, value);
    *value = which == CFG_B ? m->alias.fixed_cfg_b[i] : m->alias.fixed_cfg_c[i];
    return reloads(m->p.reload_fixed, i);
}

bool model_fixed_alias_write(struct model *m, unsigned index, uint64_t value)
{
    unsigned i = index / ALIASES, which = index % ALIASES;
    if (!m->p.aliases || which == CFG_A || !(m->p.fixed_bitmap >> i & 1))
        return false;
    if (which == CTR)
        return model_fixed_write(m, i, value);
    if (!reloads(m->p.reload_fixed, i))
        return false;
    return which == CFG_B ? write_rule(&m->p.fixed_cfg_b, &m->alias.fixed_cfg_b[i], value)
                          : write_rule(&m->p.fixed_cfg_c, &m->alias.fixed_cfg_c[i], value);
}

uint64_t model_reload(struct model *m, uint64_t wrapped)
{
    uint64_t by_themselves = 0;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        if (m->alias.cfg_b[n] & wrapped) {
            model_counter_set(m, n, m->alias.cfg_c[n] | ~RELOAD_LOW);
            by_themselves |= m->alias.cfg_b[n] & wrapped & STATUS_GP(n);
        }
    for (unsigned i = 0; i < FIXED_MAX; i++)
        if (m->alias.fixed_cfg_b[i] & wrapped) {
            model_counter_set(m, 32 + i, m->alias.fixed_cfg_c[i] | ~RELOAD_LOW);
            by_themselves |= m->alias.fixed_cfg_b[i] & wrapped & STATUS_FIXED(i);
        }
    return by_themselves;
}
