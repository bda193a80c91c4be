/*
 * A counter wraps: its STATUS bit is set whether or not it asks for an interrupt, and it goes on counting.
 * SDM 3B, "Performance Counter Overflow" texts of each version.
 */
#include "pmu/reference/model/model_state.h"

#define LATE_INSTRUCTIONS 2000

uint64_t model_wrapped_value(struct model *m, const struct counting *c, uint64_t sum)
{
    if (deviates(m, DEV_OVERFLOW_ADDS_ONE))
        sum++;
    if (deviates(m, DEV_OVERFLOW_WRONG_VALUE))
        sum = 0x100;
    return sum & c->limit;
}

uint64_t model_pmi_enabled(const struct model *m)
{
    uint64_t enabled = 0;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        enabled |= m->evtsel[n] & EVTSEL_INT ? STATUS_GP(n) : 0;
    for (unsigned i = 0; i < FIXED_MAX; i++)
        enabled |= m->stored[STORED_FIXED_CTR_CTRL] & FIXED_PMI(i) ? STATUS_FIXED(i) : 0;
    return enabled;
}

/* Which of the wraps nobody sees at all. */
static uint64_t unseen(struct model *m, uint64_t wrapped)
{
    uint64_t fixed = wrapped & MASK(63, 32);
    bool freezes = m->stored[STORED_DEBUGCTL] & DEBUGCTL_FREEZE_PERFMON_ON_PMI;
    if (freezes && deviates(m, DEV_CLOSE_FIXED_OVERFLOWS_DROPPED))
        return fixed & (fixed - 1);
    if (deviates(m, DEV_LAST_GP_OVERFLOW_LOST))
        return STATUS_GP(m->p.gp_count - 1);
    if (deviates(m, DEV_FIXED_OVERFLOW_LOST))
        return MASK(63, 32);
    if ((wrapped & m->pebs.left) && deviates(m, DEV_PEBS_DISABLED_LOSES_OVERFLOW))
        return m->pebs.left;
    if (deviates(m, DEV_SIMULTANEOUS_OVERFLOW_LOST))
        return wrapped & (wrapped - 1);
    return 0;
}

/* STATUS bits that the wraps set. */
static uint64_t flagged(struct model *m, uint64_t wrapped, uint64_t asking)
{
    uint64_t gp = wrapped & MASK(31, 0), fixed = wrapped & MASK(63, 32);
    if (deviates(m, DEV_STATUS_NOT_SET_WITHOUT_INT))
        return asking;
    if (deviates(m, DEV_STATUS_NOT_SET_WITH_INT))
        return wrapped & ~asking;
    if (gp && deviates(m, DEV_STATUS_WRONG_BIT))
        return fixed | (gp << 1 & width_mask(m->p.gp_count)) | gp >> (m->p.gp_count - 1);
    if (fixed && deviates(m, DEV_FIXED_STATUS_IN_GP_BITS))
        return gp | fixed >> 32;
    if (deviates(m, DEV_WRAPPED_BUT_STATUS_LATE)) {
        m->late_status |= wrapped;
        m->late_countdown = LATE_INSTRUCTIONS;
        return 0;
    }
    return wrapped;
}

/* While some counters sample: what wraps do to STATUS, and which ask for a PMI that should not. */
static uint64_t deviate_sampled(struct model *m, uint64_t wrapped, uint64_t asking)
{
    uint64_t plain = wrapped & ~m->pebs.sampling;
    if (plain && deviates(m, DEV_OVFBUF_AT_PLAIN_OVERFLOW))
        m->status |= STATUS_OVF_BUFFER;
    if (plain && deviates(m, DEV_PEBS_COUNTER_STATUS_LEFTOVER))
        m->status |= m->pebs.sampling;
    if (deviates(m, DEV_SAMPLING_LOSES_PMI))
        return 0;
    return deviates(m, DEV_PEBS_COUNTER_PMI) ? asking | (wrapped & m->pebs.sampling) : asking;
}

void model_overflow(struct model *m, uint64_t wrapped)
{
    if (m->p.netburst_count) {
        model_netburst_overflow(m, wrapped);
        return;
    }
    wrapped &= ~unseen(m, wrapped);
    if (m->p.aliases)
        wrapped &= ~model_reload(m, wrapped);
    m->last_wrapped = m->just_wrapped = wrapped;
    m->wrapped_age = 2;
    uint64_t asking = wrapped & model_pmi_enabled(m);
    if (m->pebs.sampling && m->deviation >= 0)
        asking = deviate_sampled(m, wrapped, asking);
    m->status |= flagged(m, wrapped, asking);
    if (deviates(m, DEV_STOPS_AT_OVERFLOW)) {
        m->stored[STORED_GLOBAL_CTRL] &= ~wrapped;
        model_gather_active(m);
    }
    if (!(asking & MASK(31, 0)) && deviates(m, DEV_FIXED_PMI_LOST))
        asking = 0;
    if (wrapped && !asking && deviates(m, DEV_FREEZE_WITHOUT_INT))
        model_freeze(m);
    if (asking || (wrapped && deviates(m, DEV_PMI_WITHOUT_INT)))
        model_pmi_raise(m);
}
