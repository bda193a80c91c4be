/*
 * IA32_PERF_GLOBAL_STATUS and its two command registers: a 1 written to STATUS_RESET clears the bit, to STATUS_SET sets
 * it. CTR_FRZ in it stops every counter. SDM 3B, "Architectural Performance Monitoring Version 4".
 */
#include "pmu/reference/model/model_state.h"

#define REFREEZE_INSTRUCTIONS 50

bool model_status_read(struct model *m, unsigned unused, uint64_t *value)
{
    (void)unused;
    if (m->p.version < 2)
        return false;
    *value = m->status;
    m->flap = !m->flap;
    if (!m->flap && deviates(m, DEV_STATUS_READ_FLAPS))
        *value = 0;
    if (deviates(m, DEV_STATUS_CLEARED_BY_READ))
        m->status = 0;
    return true;
}

/* Read-only: a #GP whatever the value. */
bool model_status_write(struct model *m, unsigned unused, uint64_t value)
{
    (void)unused;
    (void)value;
    return m->p.version >= 2 && deviates(m, DEV_STATUS_WRITABLE);
}

bool model_status_command_read(struct model *m, unsigned set, uint64_t *value)
{
    *value = !set && deviates(m, DEV_OVF_CTRL_READS_BACK) ? m->command_read : 0;
    return set ? m->p.status_set.exists : m->p.status_reset.exists;
}

bool model_status_reset_write(struct model *m, unsigned unused, uint64_t value)
{
    uint64_t clear;
    (void)unused;
    if (!model_rule_apply(&m->p.status_reset, 0, value, &clear))
        return false;
    if (deviates(m, DEV_STATUS_RESET_CLEARS_NEIGHBOUR))
        clear |= clear << 1;
    if (deviates(m, DEV_STATUS_RESET_CLEARS_ALL))
        clear = ~0ull;
    if (deviates(m, DEV_STATUS_RESET_IGNORED))
        clear &= ~width_mask(m->p.gp_count);
    m->command_read = value;
    bool thaws = m->status & clear & STATUS_CTR_FRZ;
    m->status &= ~model_thaw(m, clear) | m->stuck;
    if (thaws && model_lvtpc_masked(m) && deviates(m, DEV_ACK_REFREEZES)) {
        m->late_status |= STATUS_CTR_FRZ;
        m->late_countdown = REFREEZE_INSTRUCTIONS;
    }
    model_gather_active(m);
    return true;
}

bool model_status_set_write(struct model *m, unsigned unused, uint64_t value)
{
    uint64_t set;
    (void)unused;
    if (!model_rule_apply(&m->p.status_set, 0, value, &set))
        return false;
    if (deviates(m, DEV_STATUS_SET_NEIGHBOUR))
        set |= set << 1 & (width_mask(m->p.gp_count) | (uint64_t)m->p.fixed_bitmap << 32);
    if (!deviates(m, DEV_STATUS_SET_IGNORED))
        m->status |= set;
    if ((set & STATUS_CTR_FRZ) && deviates(m, DEV_STATUS_SET_FRZ_CLEARS_GLOBAL))
        m->stored[STORED_GLOBAL_CTRL] = 0;
    model_gather_active(m);
    return true;
}
