/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Freezing on a PMI, if DEBUGCTL requests it. Version 4 sets CTR_FRZ and LBR_FRZ in STATUS and does not change the
 * enables; versions 2 and 3 clear them. It happens when the PMI is raised. SDM 3B, "Freezing LBR and Performance
 * Counters on PMI".
 */
#include "reference/model/model_state.h"

/* Counters freeze only if DEBUGCTL[12] is set. */
bool good_freeze_asked(struct model *m)
{
    return m->controls.stored[STORED_DEBUGCTL] & DEBUGCTL_FREEZE_PERFMON_ON_PMI;
}

/* Streamlined: CTR_FRZ stops all counters until it is cleared. Legacy: GLOBAL_CTRL is cleared. */
void good_freeze_counters(struct model *m)
{
    if (m->p.freeze == FREEZE_STREAMLINED)
        model_status_raise(m, STATUS_CTR_FRZ);
    else if (m->p.freeze == FREEZE_LEGACY)
        model_stored_set(m, STORED_GLOBAL_CTRL, 0);
}

/* Streamlined: LBR_FRZ stops branch records. Legacy: DEBUGCTL[0] is cleared. */
void good_freeze_lbrs(struct model *m)
{
    if (m->p.freeze == FREEZE_STREAMLINED)
        model_status_raise(m, STATUS_LBR_FRZ);
    else if (m->p.freeze == FREEZE_LEGACY)
        model_stored_set(m, STORED_DEBUGCTL, m->controls.stored[STORED_DEBUGCTL] & ~DEBUGCTL_LBR);
    rule(m, lbrs_frozen)(m);
}

void model_freeze(struct model *m)
{
    uint64_t control = m->controls.stored[STORED_DEBUGCTL];
    if (rule(m, freeze_asked)(m))
        rule(m, freeze_counters)(m);
    if (control & DEBUGCTL_FREEZE_LBRS_ON_PMI)
        rule(m, freeze_lbrs)(m);
    mark_stale(m);
}
