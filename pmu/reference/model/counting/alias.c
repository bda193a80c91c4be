/*
 * Version 6: every counter under an alias as well, four MSRs apart: CTR, its value at full width; CFG_A, the event
 * select again; and for counters that can be reloaded CFG_B, whose overflow reloads this one, and CFG_C, from what
 * value. With architectural PEBS CFG_C says of every counter what its records are to have. CPUID leaf 23H says which
 * those are. SDM 3B, "Auto Counter Reload". A counter that reloads itself leaves its STATUS bit alone. A counter is
 * named here by its bit of IA32_PERF_GLOBAL_CTRL.
 */
#include "pmu/reference/model/model_state.h"

enum { CTR, CFG_A, CFG_B, CFG_C, ALIASES };

/* The low half of CFG_C is loaded; counters count up, so the rest is ones. */
#define RELOAD_LOW MASK(31, 0)

static bool is_fixed(unsigned bit)
{
    return bit >= 32;
}

static bool can_be_reloaded(const struct model *m, unsigned bit)
{
    return (m->p.reload_gp | (uint64_t)m->p.reload_fixed << 32) >> bit & 1;
}

/* CFG_C has the value of both reloads, by another counter and by a record. */
static bool has_cfg_c(const struct model *m, unsigned bit)
{
    return can_be_reloaded(m, bit) || (model_apebs_counters(m) >> bit & 1);
}

/* The value, at full width: both names are of one counter. */
bool good_alias_read(struct model *m, unsigned bit, uint64_t *value)
{
    if (is_fixed(bit))
        return rule(m, fixed_read)(m, bit - 32, value);
    *value = rule(m, gp_shown)(m, bit);
    return true;
}

/* As by the full-width name. */
bool good_alias_write(struct model *m, unsigned bit, uint64_t value)
{
    return is_fixed(bit) ? model_fixed_write(m, bit - 32, value) : rule(m, a_pmc_write)(m, bit, value);
}

/* The event select. */
bool good_cfg_a_read(struct model *m, unsigned n, uint64_t *value)
{
    return rule(m, evtsel_read)(m, n, value);
}

/* As to the event select. */
bool good_cfg_a_write(struct model *m, unsigned n, uint64_t value)
{
    return model_evtsel_write(m, n, value);
}

/* What of a value written reaches CFG_B, where the bits that are not there fault: all of it. */
uint64_t good_cfg_b_kept(struct model *m, unsigned bit, uint64_t value)
{
    (void)m, (void)bit;
    return value;
}

/* Likewise CFG_C. */
uint64_t good_cfg_c_kept(struct model *m, unsigned bit, uint64_t value)
{
    (void)m, (void)bit;
    return value;
}

static bool alias_read(struct model *m, unsigned bit, unsigned which, uint64_t *value)
{
    if (which == CTR)
        return m->p.aliases && rule(m, alias_read)(m, bit, value);
    if (which == CFG_A) /* fixed counters have none: FIXED_CTR_CTRL is theirs */
        return m->p.aliases && !is_fixed(bit) && rule(m, cfg_a_read)(m, bit, value);
    *value = which == CFG_B ? m->alias.cfg_b[bit] : m->alias.cfg_c[bit];
    return which == CFG_B ? can_be_reloaded(m, bit) : has_cfg_c(m, bit);
}

static bool cfg_b_write(struct model *m, unsigned bit, uint64_t value)
{
    const struct write_rule *accepts = is_fixed(bit) ? &m->p.fixed_cfg_b : &m->p.cfg_b;
    return model_rule_apply(accepts, m->alias.cfg_b[bit], rule(m, cfg_b_kept)(m, bit, value), &m->alias.cfg_b[bit]);
}

static bool cfg_c_write(struct model *m, unsigned bit, uint64_t value)
{
    const struct write_rule *accepts = is_fixed(bit) ? &m->p.fixed_cfg_c : &m->p.cfg_c;
    if (!model_rule_apply(accepts, m->alias.cfg_c[bit], rule(m, cfg_c_kept)(m, bit, value), &m->alias.cfg_c[bit]))
        return false;
    mark_stale(m);
    return true;
}

static bool alias_write(struct model *m, unsigned bit, unsigned which, uint64_t value)
{
    if (which == CTR)
        return m->p.aliases && rule(m, alias_write)(m, bit, value);
    if (which == CFG_A)
        return m->p.aliases && !is_fixed(bit) && rule(m, cfg_a_write)(m, bit, value);
    if (which == CFG_B)
        return can_be_reloaded(m, bit) && cfg_b_write(m, bit, value);
    return has_cfg_c(m, bit) && cfg_c_write(m, bit, value);
}

bool model_gp_alias_read(struct model *m, unsigned index, uint64_t *value)
{
    return index / ALIASES < m->p.gp_count && alias_read(m, index / ALIASES, index % ALIASES, value);
}

bool model_gp_alias_write(struct model *m, unsigned index, uint64_t value)
{
    return index / ALIASES < m->p.gp_count && alias_write(m, index / ALIASES, index % ALIASES, value);
}

bool model_fixed_alias_read(struct model *m, unsigned index, uint64_t *value)
{
    return m->p.fixed_bitmap >> index / ALIASES & 1 && alias_read(m, 32 + index / ALIASES, index % ALIASES, value);
}

bool model_fixed_alias_write(struct model *m, unsigned index, uint64_t value)
{
    return m->p.fixed_bitmap >> index / ALIASES & 1 && alias_write(m, 32 + index / ALIASES, index % ALIASES, value);
}

/* The counters whose overflow reloads this one. */
uint64_t good_reload_causes(struct model *m, unsigned bit)
{
    return m->alias.cfg_b[bit];
}

/* What it is reloaded with. */
uint64_t good_reload_value(struct model *m, unsigned bit)
{
    return m->alias.cfg_c[bit] | ~RELOAD_LOW;
}

/* Of the counters that have wrapped, those whose STATUS bit stays clear: the ones that reloaded themselves. */
uint64_t good_reloads_untold(struct model *m, uint64_t wrapped, uint64_t by_themselves)
{
    (void)m, (void)wrapped;
    return by_themselves;
}

uint64_t model_reload(struct model *m, uint64_t wrapped)
{
    uint64_t by_themselves = 0, all = m->p.reload_gp | (uint64_t)m->p.reload_fixed << 32;
    for (; all; all &= all - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(all);
        uint64_t causes = rule(m, reload_causes)(m, bit) & wrapped;
        if (causes)
            model_counter_set(m, bit, rule(m, reload_value)(m, bit));
        by_themselves |= causes & BIT(bit);
    }
    return rule(m, reloads_untold)(m, wrapped, by_themselves);
}
