/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter wraps: its STATUS bit is set whether or not it asks for an interrupt, and it goes on counting.
 * SDM 3B, "Performance Counter Overflow" texts of each version.
 */
#include "reference/model/model_state.h"

/* A counter continues from 0: counts beyond the end are kept. */
uint64_t good_wrapped_value(struct model *m, const struct counting *c, uint64_t sum)
{
    (void)m;
    return sum & c->limit;
}

uint64_t model_pmi_enabled(const struct model *m)
{
    uint64_t enabled = 0;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        enabled |= m->controls.evtsel[n] & EVTSEL_INT ? STATUS_GP(n) : 0;
    for (unsigned i = 0; i < FIXED_MAX; i++)
        enabled |= m->controls.stored[STORED_FIXED_CTR_CTRL] & FIXED_PMI(i) ? STATUS_FIXED(i) : 0;
    return enabled;
}

/* Each counter that wraps is noticed, however many wrap in one instruction. */
uint64_t good_overflows_seen(struct model *m, uint64_t wrapped)
{
    (void)m;
    return wrapped;
}

/* Only counters whose interrupt bit is set ask for a PMI. */
uint64_t good_overflows_asking(struct model *m, uint64_t wrapped)
{
    return wrapped & model_pmi_enabled(m);
}

/* Each wrap sets its counter's bit at once, with or without an interrupt bit. */
uint64_t good_overflow_status(struct model *m, uint64_t wrapped, uint64_t asking)
{
    (void)m, (void)asking;
    return wrapped;
}

/* One PMI for all counters that ask in one instruction; for the others no PMI and no freeze. */
void good_overflow_interrupts(struct model *m, uint64_t wrapped, uint64_t asking)
{
    (void)wrapped;
    if (asking)
        rule(m, pmi_raise)(m);
}

void model_overflow(struct model *m, uint64_t wrapped)
{
    if (m->p.netburst_count) {
        model_netburst_overflow(m, wrapped);
        return;
    }
    wrapped = rule(m, overflows_seen)(m, wrapped);
    if (m->p.reload_gp | m->p.reload_fixed)
        wrapped &= ~model_reload(m, wrapped);
    uint64_t asking = rule(m, overflows_asking)(m, wrapped);
    model_status_raise(m, rule(m, overflow_status)(m, wrapped, asking));
    rule(m, overflow_interrupts)(m, wrapped, asking);
}
