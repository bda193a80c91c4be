/*
 * Last-branch records: where the last taken branches came from and went to, while DEBUGCTL[0] is set and LBR_FRZ is
 * not. A branch is known only where instructions are reported, that is while something counts. Only the records from
 * 680H on, of CPUs with more than eight; architectural ones are not modelled. SDM 3B, "Last Branch Recording".
 */
#include "pmu/reference/model/model_state.h"

#define FORMAT_ARCHITECTURAL 0x3f
#define DEPTH_LEAST 16 /* with fewer they are elsewhere */

static bool exists(const struct model *m)
{
    return m->p.lbr_depth >= DEPTH_LEAST && !m->p.netburst_count &&
           (m->p.perf_capabilities & PERF_CAP_LBR_FORMAT) != FORMAT_ARCHITECTURAL;
}

static bool canonical(uint64_t value)
{
    int64_t high = (int64_t)value >> 47;
    return high == 0 || high == -1;
}

bool model_lbr_recording(struct model *m)
{
    bool frozen = m->p.freeze == FREEZE_STREAMLINED && (m->status & STATUS_LBR_FRZ);
    if (m->lbr_stays_frozen && deviates(m, DEV_LBR_NEVER_THAWS))
        return false;
    return exists(m) && (m->stored[STORED_DEBUGCTL] & DEBUGCTL_LBR) && (!frozen || deviates(m, DEV_LBR_FRZ_IGNORED));
}

/* Where a branch went is known with the instruction after it. */
void model_lbr_retire(struct model *m, const struct retired *instruction)
{
    if (m->lbr_open)
        m->lbr_to[m->lbr_tos] = instruction->rip;
    m->lbr_open = false;
    if (!m->recording || !is_branch(instruction->kind) || !instruction->taken)
        return;
    m->lbr_tos = (uint8_t)((m->lbr_tos + 1u) % m->p.lbr_depth);
    m->lbr_from[m->lbr_tos] = instruction->rip;
    m->lbr_open = true;
}

void model_lbr_frozen(struct model *m)
{
    unsigned before = m->lbr_tos;
    m->lbr_stays_frozen = true;
    if (!exists(m))
        return;
    if (deviates(m, DEV_LBR_FREEZE_WRONG_FROM))
        m->lbr_from[before] = m->lbr_to[before];
    if (!deviates(m, DEV_LBR_FREEZE_DUPLICATES_TOS))
        return;
    m->lbr_tos = (uint8_t)((before + 1u) % m->p.lbr_depth);
    m->lbr_from[m->lbr_tos] = m->lbr_from[before];
    m->lbr_to[m->lbr_tos] = m->lbr_to[before];
}

bool model_lbr_read(struct model *m, unsigned index, uint64_t *value)
{
    unsigned n = index % LBR_MAX;
    if (!exists(m) || n >= m->p.lbr_depth)
        return false;
    *value = index < LBR_MAX ? m->lbr_from[n] : m->lbr_to[n];
    return true;
}

bool model_lbr_write(struct model *m, unsigned index, uint64_t value)
{
    unsigned n = index % LBR_MAX;
    if (!exists(m) || n >= m->p.lbr_depth || !canonical(value))
        return false;
    *(index < LBR_MAX ? &m->lbr_from[n] : &m->lbr_to[n]) = value;
    return true;
}

bool model_lbr_tos_read(struct model *m, unsigned unused, uint64_t *value)
{
    (void)unused;
    *value = m->lbr_tos;
    return exists(m);
}

bool model_lbr_tos_write(struct model *m, unsigned unused, uint64_t value)
{
    (void)unused;
    if (!exists(m) || value >= m->p.lbr_depth)
        return false;
    m->lbr_tos = (uint8_t)value;
    return true;
}
