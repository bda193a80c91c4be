/*
 * Event selects and the registers that simply hold what was written, by their write rules. SDM 3B, "Architectural
 * Performance Monitoring"; reserved bits as real CPUs answer, in the profile.
 */
#include "pmu/reference/model/model_state.h"

bool model_rule_apply(const struct write_rule *rule, uint64_t old, uint64_t value, uint64_t *result)
{
    int64_t high = (int64_t)value >> 47;
    if (!rule->exists || (value & rule->faults) || ((value ^ old) & rule->flip_faults))
        return false;
    if (rule->canonical && high != 0 && high != -1)
        return false;
    *result = (value & ~rule->dropped) | (old & rule->dropped);
    *result = (*result & ~rule->clear_only) | (old & value & rule->clear_only);
    return true;
}

bool model_evtsel_read(struct model *m, unsigned n, uint64_t *value)
{
    if (n >= m->p.gp_count || (n == m->p.gp_count - 1u && deviates(m, DEV_ENUMERATED_EVTSEL_FAULTS)))
        return false;
    *value = n >= 4 && deviates(m, DEV_EVTSEL4_7_READBACK_STALE) ? m->evtsel_was[n] : m->evtsel[n];
    return true;
}

/* Event selects that some CPUs have to see once before their counters work. */
static const uint32_t magic[] = {0x4300d2, 0x4300b1, 0x4300b5};

bool model_evtsel_write(struct model *m, unsigned n, uint64_t value)
{
    struct write_rule rule = m->p.evtsel;
    if (n == 2) /* the one counter that can count within transactions and their aborts */
        rule.faults &= ~m->p.evtsel2_accepts;
    uint64_t was = n < m->p.gp_count ? m->evtsel[n] : 0;
    if (n >= m->p.gp_count || !model_rule_apply(&rule, was, value, &m->evtsel[n]))
        return false;
    m->evtsel_was[n] = was;
    m->evtsel[n] = model_deviate_evtsel(m, n, was, m->evtsel[n]);
    for (unsigned i = 0; i < ARRAY_SIZE(magic); i++)
        m->magic_left &= value == magic[i] ? (uint8_t)~BIT(i) : 0xff;
    model_gather_active(m);
    return true;
}

bool model_stored_read(struct model *m, unsigned which, uint64_t *value)
{
    model_core_sync(m);
    *value = model_deviate_control_read(m, which, m->stored[which]);
    return m->p.stored[which].exists;
}

bool model_stored_write(struct model *m, unsigned which, uint64_t value)
{
    model_core_sync(m);
    uint64_t was = m->stored[which];
    if (!model_rule_apply(&m->p.stored[which], was, value, &m->stored[which]))
        return false;
    if (which == STORED_GLOBAL_CTRL) {
        m->stays_frozen = false;
        m->stored[which] = model_deviate_global_ctrl(m, was, m->stored[which]);
    }
    if (which == STORED_DS_AREA || which == STORED_PEBS_ENABLE || which == STORED_PEBS_DATA_CFG)
        model_pebs_written(m, which, was);
    if (which == STORED_FIXED_CTR_CTRL)
        m->stored[which] = model_deviate_fixed_ctrl(m, m->stored[which]);
    model_core_written(m, which);
    model_gather_active(m);
    return true;
}
