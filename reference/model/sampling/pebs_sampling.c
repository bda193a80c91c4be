/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which counters sample, and what happens to one that is stopped while armed: its record is still written, some time
 * later and to the DS area of the arming. SDM 3B, "Re-configuring PEBS Facilities".
 */
#include "reference/model/model_state.h"

void model_pebs_leave_residual(struct model *m, uint64_t counters, uint32_t ticks)
{
    struct pebs *p = &m->pebs;
    if (p->waiting)
        return; /* one is already due */
    p->waiting = true;
    p->captured = false;
    p->due = m->host.time(m->host.context) + ticks;
    p->residual.area = p->area;
    p->residual.groups = p->groups;
    p->residual.counters = counters;
}

/* A residual record shows the instruction that stopped the counter. */
void model_pebs_pass_residual(struct model *m, const struct retired *in)
{
    struct pebs *p = &m->pebs;
    if (!p->captured)
        rule(m, pebs_capture)(m, in, &p->residual);
    p->captured = true;
    if (m->host.time(m->host.context) < p->due)
        return;
    p->waiting = false;
    rule(m, pebs_write)(m, &p->residual, true);
}

static bool usable(struct model *m)
{
    if (model_apebs(m))
        return model_apebs_usable(m);
    return (m->p.leaf1_edx & CPUID_BIT_MASK(CPUID_DS)) &&
           !(m->controls.stored[STORED_MISC_ENABLE] & MISC_ENABLE_PEBS_UNAVAILABLE) &&
           m->controls.stored[STORED_DS_AREA] && m->host.memory_read && m->host.memory_write && m->host.registers;
}

/* Of the active counters those that are capable sample, while there is a buffer for them. */
uint64_t good_pebs_sampling(struct model *m)
{
    uint64_t sampling = 0;
    if (usable(m))
        for (struct counting *c = m->active.list; c < m->active.list + m->active.count; c++)
            sampling |= rule(m, pebs_capable)(m, c) ? BIT(c->bit) : 0;
    return sampling;
}

/* `was`: the counters that sampled before; `stopped`: the armed ones that were stopped, and still owe their record. */
void good_pebs_changed(struct model *m, uint64_t was, uint64_t stopped)
{
    (void)was;
    if (stopped)
        model_pebs_leave_residual(m, stopped, m->p.pebs_residual);
}

void model_pebs_gather(struct model *m)
{
    struct pebs *p = &m->pebs;
    uint64_t was = p->sampling, armed = p->armed;
    p->sampling = rule(m, pebs_sampling)(m);
    p->armed &= p->sampling;
    rule(m, pebs_changed)(m, was, was & armed & ~p->sampling);
}
