/*
 * Last-branch records: where the last taken branches came from and went to, while DEBUGCTL[0] is set and LBR_FRZ is
 * not. A branch is known only where instructions are reported, that is while something counts. Only the records from
 * 680H on, of CPUs with more than eight; architectural ones are not modelled. SDM 3B, "Last Branch Recording".
 */
#include "pmu/reference/model/model_state.h"

#define FORMAT_ARCHITECTURAL 0x3f
#define DEPTH_LEAST 16 /* with fewer they are elsewhere */

bool model_lbr_exists(const struct model *m)
{
    return m->p.lbr_depth >= DEPTH_LEAST && !m->p.netburst_count &&
           (m->p.perf_capabilities & PERF_CAP_LBR_FORMAT) != FORMAT_ARCHITECTURAL;
}

static bool canonical(uint64_t value)
{
    int64_t high = (int64_t)value >> 47;
    return high == 0 || high == -1;
}

/* Frozen records stand as long as LBR_FRZ does, from version 4 on. */
bool good_lbrs_stand(struct model *m)
{
    return m->p.freeze == FREEZE_STREAMLINED && (m->status.bits & STATUS_LBR_FRZ);
}

bool model_lbr_recording(struct model *m)
{
    return model_lbr_exists(m) && (m->controls.stored[STORED_DEBUGCTL] & DEBUGCTL_LBR) && !rule(m, lbrs_stand)(m);
}

/* Where a branch went is known with the instruction after it. */
void model_lbr_retire(struct model *m, const struct retired *instruction)
{
    if (m->lbr.open)
        m->lbr.to[m->lbr.tos] = instruction->rip;
    m->lbr.open = false;
    if (!m->active.recording || !is_branch(instruction->kind) || !instruction->taken)
        return;
    m->lbr.tos = (uint8_t)((m->lbr.tos + 1u) % m->p.lbr_depth);
    m->lbr.from[m->lbr.tos] = instruction->rip;
    m->lbr.open = true;
}

/* A freeze leaves the records as they are. */
void good_lbrs_frozen(struct model *m)
{
    (void)m;
}

bool model_lbr_read(struct model *m, unsigned index, uint64_t *value)
{
    unsigned n = index % LBR_MAX;
    if (!model_lbr_exists(m) || n >= m->p.lbr_depth)
        return false;
    *value = index < LBR_MAX ? m->lbr.from[n] : m->lbr.to[n];
    return true;
}

bool model_lbr_write(struct model *m, unsigned index, uint64_t value)
{
    unsigned n = index % LBR_MAX;
    if (!model_lbr_exists(m) || n >= m->p.lbr_depth || !canonical(value))
        return false;
    *(index < LBR_MAX ? &m->lbr.from[n] : &m->lbr.to[n]) = value;
    return true;
}

bool model_lbr_tos_read(struct model *m, unsigned unused, uint64_t *value)
{
    (void)unused;
    *value = m->lbr.tos;
    return model_lbr_exists(m);
}

bool model_lbr_tos_write(struct model *m, unsigned unused, uint64_t value)
{
    (void)unused;
    if (!model_lbr_exists(m) || value >= m->p.lbr_depth)
        return false;
    m->lbr.tos = (uint8_t)value;
    return true;
}
