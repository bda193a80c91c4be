/*
 * Freezing on a PMI, as DEBUGCTL asks for it. Version 4 sets CTR_FRZ and LBR_FRZ in STATUS and leaves the enables
 * alone; versions 2 and 3 clear them. It takes effect when the PMI is raised. SDM 3B, "Freezing LBR and Performance
 * Counters on PMI".
 */
#include "pmu/reference/model/model_state.h"

static void freeze_counters(struct model *m)
{
    if (deviates(m, DEV_FREEZE_MISSING))
        return;
    if (m->p.freeze == FREEZE_STREAMLINED)
        m->status |= STATUS_CTR_FRZ;
    if (m->p.freeze == FREEZE_LEGACY || deviates(m, DEV_FREEZE_CLEARS_GLOBAL_CTRL))
        m->stored[STORED_GLOBAL_CTRL] = 0;
    if (deviates(m, DEV_FREEZE_BIT_CLEARED))
        m->stored[STORED_DEBUGCTL] &= ~DEBUGCTL_FREEZE_PERFMON_ON_PMI;
}

static void freeze_lbrs(struct model *m)
{
    if (m->p.freeze == FREEZE_STREAMLINED && !deviates(m, DEV_LBR_FREEZE_MISSING))
        m->status |= STATUS_LBR_FRZ;
    if (m->p.freeze == FREEZE_LEGACY || deviates(m, DEV_LBR_FREEZE_CLEARS_LBR))
        m->stored[STORED_DEBUGCTL] &= ~DEBUGCTL_LBR;
    model_lbr_frozen(m);
}

void model_freeze(struct model *m)
{
    uint64_t control = m->stored[STORED_DEBUGCTL];
    if ((control & DEBUGCTL_FREEZE_PERFMON_ON_PMI) || deviates(m, DEV_FREEZE_WITHOUT_DEBUGCTL))
        freeze_counters(m);
    if (control & DEBUGCTL_FREEZE_LBRS_ON_PMI)
        freeze_lbrs(m);
    model_gather_active(m);
}

/* What clearing `clear` in STATUS really clears of the freeze bits. */
uint64_t model_thaw(struct model *m, uint64_t clear)
{
    uint64_t frozen = m->status & clear & (STATUS_CTR_FRZ | STATUS_LBR_FRZ);
    if (frozen && !m->asked_to_thaw) {
        m->asked_to_thaw = true;
        clear &= deviates(m, DEV_CTR_FRZ_NEEDS_TWO_WRITES) ? ~STATUS_CTR_FRZ : ~0ull;
        clear &= deviates(m, DEV_LBR_FRZ_NEEDS_TWO_WRITES) ? ~STATUS_LBR_FRZ : ~0ull;
    } else if (frozen) {
        m->asked_to_thaw = false;
    }
    if ((frozen & STATUS_CTR_FRZ) && deviates(m, DEV_FREEZE_NEVER_THAWS))
        m->stays_frozen = true;
    return clear;
}
