/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Version 6: each counter has aliases as well, four MSRs for each counter: CTR, its value at full width; CFG_A, the
 * event select again; and for counters that can be reloaded CFG_B, the counters whose overflow reloads this one, and
 * CFG_C, the reload value. With architectural PEBS each counter's CFG_C selects what its records contain. CPUID leaf
 * 23H tells which exist. SDM 3B, "Auto Counter Reload". A counter that reloads itself does not set its STATUS bit. In
 * this file a counter is named by its bit in IA32_PERF_GLOBAL_CTRL.
 */
#include "reference/model/model_state.h"

enum { CTR, CFG_A, CFG_B, CFG_C, ALIASES };

/* CFG_C holds the low half of the reload value; counters count up, so all higher bits are ones. */
#define RELOAD_LOW MASK(31, 0)

static bool is_fixed(unsigned bit)
{
    return bit >= 32;
}

static bool can_be_reloaded(const struct model *m, unsigned bit)
{
    return (m->p.reload_gp | (uint64_t)m->p.reload_fixed << 32) >> bit & 1;
}

/* CFG_C has the reload value both for other counters' overflows and for records. */
static bool has_cfg_c(const struct model *m, unsigned bit)
{
    return can_be_reloaded(m, bit) || (model_apebs_counters(m) >> bit & 1);
}

/* The alias reads the counter at full width, as the counter's other names do. */
bool good_alias_read(struct model *m, unsigned bit, uint64_t *value)
{
    if (is_fixed(bit))
        return rule(m, fixed_read)(m, bit - 32, value);
    *value = rule(m, gp_shown)(m, bit);
    return true;
}

/* Writes by the alias are like those by the full-width name. */
bool good_alias_write(struct model *m, unsigned bit, uint64_t value)
{
    return is_fixed(bit) ? model_fixed_write(m, bit - 32, value) : rule(m, a_pmc_write)(m, bit, value);
}

/* CFG_A reads as the event select. */
bool good_cfg_a_read(struct model *m, unsigned n, uint64_t *value)
{
    return rule(m, evtsel_read)(m, n, value);
}

/* Writes to CFG_A are like those to the event select. */
bool good_cfg_a_write(struct model *m, unsigned n, uint64_t value)
{
    return model_evtsel_write(m, n, value);
}

/* CFG_B takes each bit that it has; the others fault. */
uint64_t good_cfg_b_kept(struct model *m, unsigned bit, uint64_t value)
{
    (void)m, (void)bit;
    return value;
}

/* CFG_C takes each bit that it has; the others fault. */
uint64_t good_cfg_c_kept(struct model *m, unsigned bit, uint64_t value)
{
    (void)m, (void)bit;
    return value;
}

static bool alias_read(struct model *m, unsigned bit, unsigned which, uint64_t *value)
{
    if (which == CTR)
        return m->p.aliases && rule(m, alias_read)(m, bit, value);
    if (which == CFG_A) /* fixed counters have no CFG_A: FIXED_CTR_CTRL controls them */
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

/* CFG_B holds the counters whose overflow reloads a counter. */
uint64_t good_reload_causes(struct model *m, unsigned bit)
{
    return m->alias.cfg_b[bit];
}

/* CFG_C holds the value with which a counter is reloaded. */
uint64_t good_reload_value(struct model *m, unsigned bit)
{
    return m->alias.cfg_c[bit] | ~RELOAD_LOW;
}

/* Of the counters that have wrapped, those that reloaded themselves do not set their STATUS bits. */
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
