/*
 * Which counters sample, and what becomes of one that is stopped while armed: its record is written all the same, a
 * time later and to the DS area of the arming.
 */
#include "pmu/reference/model/model_state.h"

static void leave_residual(struct model *m, uint64_t counters, uint32_t ticks)
{
    struct pebs *p = &m->pebs;
    if (p->waiting)
        return; /* one is on its way already */
    p->waiting = true;
    p->captured = false;
    p->due = m->host.time(m->host.context) + ticks;
    p->residual.area = p->area;
    p->residual.groups = p->groups;
    p->residual.counters = counters;
}

/* It shows the instruction that stopped the counter. */
void model_pebs_pass_residual(struct model *m, const struct retired *in)
{
    struct pebs *p = &m->pebs;
    if (!p->captured)
        model_pebs_capture(m, in, &p->residual);
    p->captured = true;
    if (m->host.time(m->host.context) < p->due)
        return;
    p->waiting = false;
    model_pebs_write(m, &p->residual, true);
}

static bool usable(const struct model *m)
{
    return (m->p.leaf1_edx & CPUID_1_EDX_DS) && !(m->stored[STORED_MISC_ENABLE] & MISC_ENABLE_PEBS_UNAVAILABLE) &&
           m->stored[STORED_DS_AREA] && m->host.memory_read && m->host.memory_write && m->host.registers;
}

/* CPUs that leave a record behind when they stop, which is written once sampling goes on with another DS area. */
static void stray(struct model *m, uint64_t was)
{
    struct pebs *p = &m->pebs;
    if (was && !p->sampling && p->written_to) {
        p->stray_from = p->written_to;
        p->written_to = 0;
    }
    if (!p->sampling || !p->stray_from || p->stray_from == m->stored[STORED_DS_AREA])
        return;
    p->area = p->stray_from;
    p->stray_from = 0;
    if (deviates(m, DEV_RECORD_AFTER_DISABLE_NEW_AREA))
        p->area = m->stored[STORED_DS_AREA];
    else if (!deviates(m, DEV_RECORD_AFTER_DISABLE))
        return;
    leave_residual(m, PEBS_GP(0), 0);
}

/* Counters that sample although they should not. */
static uint64_t sampling_anyway(struct model *m)
{
    struct pebs *p = &m->pebs;
    uint64_t again = p->sampled & m->active_mask & ~p->sampling;
    return again && !m->stored[STORED_PEBS_ENABLE] && deviates(m, DEV_PEBS_ENABLE_STICKY) ? again : 0;
}

static bool samples(struct model *m, struct counting *c)
{
    bool capable = model_pebs_capable(m, c);
    if (capable && deviates(m, DEV_PEBS_IGNORES_CPL))
        c->rings = RING_OS | RING_USR;
    return capable;
}

void model_pebs_gather(struct model *m)
{
    struct pebs *p = &m->pebs;
    uint64_t was = p->sampling;
    p->sampling = 0;
    if (usable(m))
        for (struct counting *c = m->active; c < m->active + m->active_count; c++)
            p->sampling |= samples(m, c) ? BIT(c->bit) : 0;
    p->sampling |= sampling_anyway(m);
    uint64_t stopped = was & ~p->sampling & p->armed, started = p->sampling & ~was;
    p->armed &= p->sampling;
    p->sampled |= p->sampling;
    p->left = p->sampled & ~p->sampling;
    if (stopped) {
        leave_residual(m, stopped, m->p.pebs_residual);
        p->written_to = p->area;
    }
    if (started && deviates(m, DEV_PEBS_RECORD_AT_START))
        model_pebs_arm_now(m, started);
    stray(m, was);
}

void model_pebs_written(struct model *m, unsigned which, uint64_t was)
{
    struct pebs *p = &m->pebs;
    uint64_t now = m->stored[which];
    if (which == STORED_DS_AREA) {
        p->area_was = now ? was : 0;
        p->sampled = 0;
        p->groups_changed = false;
    }
    if (which == STORED_PEBS_ENABLE)
        p->enable_was = now ? 0 : was;
    if (which == STORED_PEBS_DATA_CFG && was && was != now) {
        p->groups_were = was;
        p->groups_changed = true;
    }
}
