/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which counters write PEBS records, of which events, and which have the precise distribution. SDM 3B, "Requirements to
 * Program PEBS".
 */
#include "reference/model/model_state.h"

static bool is_listed(const struct model *m, uint32_t encoding)
{
    for (unsigned i = 0; i < PEBS_EVENTS_MAX && m->p.pebs_events[i]; i++) {
        uint32_t row = m->p.pebs_events[i];
        if (row == PEBS_EVERY_EVENT || row == encoding || row == (PEBS_EVERY_UMASK | (encoding & 0xff)))
            return true;
    }
    return false;
}

static bool is_instructions(uint32_t encoding)
{
    return (encoding & 0xff) == (ARCH_EVENT_INSTRUCTIONS & 0xff);
}

/* Some events are for certain counters only. */
static bool suits(const struct model *m, unsigned n, uint32_t encoding)
{
    if (m->p.pebs_precise_gp && m->p.event_prec_dist && encoding == m->p.event_prec_dist)
        return m->p.pebs_precise_gp >> n & 1;
    if (encoding == m->p.event_load_latency || encoding == m->p.event_precise_store)
        return m->p.pebs_latency_gp >> n & 1;
    return !is_instructions(encoding) || !(m->p.pebs_without_instructions >> n & 1);
}

static bool fixed_capable(const struct model *m, unsigned i)
{
    return m->p.pebs_fixed >> i & 1;
}

static bool gp_capable(const struct model *m, unsigned n)
{
    uint32_t encoding = (uint32_t)(m->controls.evtsel[n] & MASK(15, 0));
    return (m->p.pebs_gp >> n & 1) && is_listed(m, encoding) && suits(m, n, encoding);
}

/* IA32_PEBS_ENABLE applies to each counter as it reads. */
uint64_t good_pebs_enabled(struct model *m, unsigned bit)
{
    (void)bit;
    return m->controls.stored[STORED_PEBS_ENABLE];
}

/* With architectural PEBS each counter has a register of its own for this, else one register is for all. */
static bool capable_by_itself(struct model *m, const struct counting *c)
{
    return rule(m, apebs_enabled)(m, c->bit) && (c->bit < 32 ? gp_capable(m, c->bit) : fixed_capable(m, c->bit - 32u));
}

/* A counter samples with its bit of IA32_PEBS_ENABLE and an event that is listed for it; not to processor trace. */
bool good_pebs_capable(struct model *m, struct counting *c)
{
    if (model_apebs(m))
        return capable_by_itself(m, c);
    uint64_t enable = rule(m, pebs_enabled)(m, c->bit);
    if (!enable)
        return false;
    if (m->p.netburst_count)
        return rule(m, netburst_samples)(m, c->bit);
    if ((enable & PEBS_OUTPUT) && (m->p.perf_capabilities & PERF_CAP_PEBS_OUTPUT_PT))
        return false; /* output to processor trace is not modelled */
    if (c->bit < 32)
        return (enable & PEBS_GP(c->bit)) && gp_capable(m, c->bit);
    return (enable & PEBS_FIXED(c->bit - 32)) && fixed_capable(m, c->bit - 32u);
}

/* If instructions have an event of their own for it, only with that event; and not if cycles are compared. */
bool model_pebs_precise(const struct model *m, const struct counting *c)
{
    if (c->bit >= 32)
        return m->p.pebs_precise_fixed >> (c->bit - 32) & 1;
    if (!(m->p.pebs_precise_gp >> c->bit & 1) || c->by_cycles)
        return false;
    return !m->p.event_prec_dist || (m->controls.evtsel[c->bit] & MASK(15, 0)) == m->p.event_prec_dist;
}
