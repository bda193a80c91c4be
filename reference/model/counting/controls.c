/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Event selects, and the registers that just hold what was written, by their write rules. SDM 3B, "Architectural
 * Performance Monitoring"; reserved bits behave as on real CPUs, by the profile.
 */
#include "reference/model/model_state.h"

/* An event select reads as it was written. */
bool good_evtsel_read(struct model *m, unsigned n, uint64_t *value)
{
    if (n >= m->p.gp_count)
        return false;
    *value = m->controls.evtsel[n];
    return true;
}

/* An event select takes each bit that it has, and a write changes no other register. */
uint64_t good_evtsel_kept(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    (void)m, (void)n, (void)was;
    return value;
}

/* An event select takes any event: one that the core does not have counts nothing. */
bool good_evtsel_taken(struct model *m, unsigned n, uint64_t value)
{
    (void)m, (void)n, (void)value;
    return true;
}

bool model_evtsel_write(struct model *m, unsigned n, uint64_t value)
{
    struct write_rule rule = m->p.evtsel;
    if (n == 2) /* the one counter that can count within transactions and their aborts */
        rule.faults &= ~m->p.evtsel2_accepts;
    uint64_t was = n < m->p.gp_count ? m->controls.evtsel[n] : 0;
    if (n >= m->p.gp_count || !rule(m, evtsel_taken)(m, n, value) ||
        !model_rule_apply(&rule, was, value, &m->controls.evtsel[n]))
        return false;
    m->controls.evtsel[n] = rule(m, evtsel_kept)(m, n, was, m->controls.evtsel[n]);
    mark_stale(m);
    return true;
}

/* A control register reads as it was written, from the first read on. */
uint64_t good_stored_shown(struct model *m, unsigned which)
{
    return m->controls.stored[which];
}

bool model_stored_read(struct model *m, unsigned which, uint64_t *value)
{
    *value = rule(m, stored_shown)(m, which);
    return m->p.stored[which].exists;
}

/* IA32_PERF_GLOBAL_CTRL has a bit for each counter and takes each value of these bits. */
uint64_t good_global_ctrl_kept(struct model *m, uint64_t value)
{
    (void)m;
    return value;
}

/* A write with a bit that a control register does not have faults, and changes nothing. */
bool good_stored_taken(struct model *m, unsigned which, uint64_t value, uint64_t *result)
{
    return model_rule_apply(&m->p.stored[which], m->controls.stored[which], value, result);
}

/* A control register takes each bit that it has. */
uint64_t good_stored_kept(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    (void)was;
    return which == STORED_GLOBAL_CTRL ? rule(m, global_ctrl_kept)(m, value) : value;
}

void model_stored_set(struct model *m, unsigned which, uint64_t value)
{
    m->controls.stored[which] = value;
}

bool model_stored_write(struct model *m, unsigned which, uint64_t value)
{
    uint64_t was = m->controls.stored[which];
    if (!rule(m, stored_taken)(m, which, value, &m->controls.stored[which]))
        return false;
    m->controls.stored[which] = rule(m, stored_kept)(m, which, was, m->controls.stored[which]);
    mark_stale(m);
    return true;
}
