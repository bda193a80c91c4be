/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_GLOBAL_INUSE is not storage: each bit follows other registers. SDM 3B, "IA32_PERF_GLOBAL_INUSE MSR".
 */
#include "reference/model/model_state.h"

/* Bit n: is the event-select byte of IA32_PERFEVTSELn non-zero? The counter need not be enabled. */
bool good_gp_in_use(struct model *m, unsigned n)
{
    return m->controls.evtsel[n] & MASK(7, 0);
}

/* Bit 32 + i: is the counter enabled for either ring? */
bool good_fixed_in_use(struct model *m, unsigned i)
{
    return m->controls.stored[STORED_FIXED_CTR_CTRL] & (FIXED_OS(i) | FIXED_USR(i));
}

/* PMI_InUse follows the interrupt bits of GP counters, enabled or not. */
bool good_pmi_used_by_gp(struct model *m)
{
    bool any = false;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        any |= !!(m->controls.evtsel[n] & EVTSEL_INT);
    return any;
}

/* PMI_InUse follows the PMI bits of fixed counters, enabled or not. */
bool good_pmi_used_by_fixed(struct model *m)
{
    bool any = false;
    for (unsigned i = 0; i < FIXED_MAX; i++)
        any |= !!(m->controls.stored[STORED_FIXED_CTR_CTRL] & FIXED_PMI(i));
    return any;
}

/* PMI_InUse follows PEBS, too, as its threshold raises a PMI. */
bool good_pmi_used_by_pebs(struct model *m)
{
    for (uint64_t left = model_apebs_counters(m); left; left &= left - 1)
        if (model_apebs_config(m, (unsigned)__builtin_ctzll(left)) & APEBS_EN)
            return true;
    return m->controls.stored[STORED_PEBS_ENABLE];
}

/* PMI_InUse is set while GP counters, fixed counters or PEBS may raise a PMI. */
bool good_pmi_in_use(struct model *m)
{
    return rule(m, pmi_used_by_gp)(m) || rule(m, pmi_used_by_fixed)(m) || rule(m, pmi_used_by_pebs)(m);
}

/* Each bit clears with its cause: nothing is latched. */
uint64_t good_inuse_shown(struct model *m, uint64_t in_use)
{
    (void)m;
    return in_use;
}

bool model_inuse_read(struct model *m, unsigned unused, uint64_t *value)
{
    uint64_t in_use = 0;
    (void)unused;
    if (!m->p.inuse)
        return false;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        in_use |= rule(m, gp_in_use)(m, n) ? INUSE_GP(n) : 0;
    for (unsigned i = 0; i < FIXED_MAX; i++)
        if (m->p.fixed_bitmap >> i & 1)
            in_use |= rule(m, fixed_in_use)(m, i) ? INUSE_FIXED(i) : 0;
    in_use |= rule(m, pmi_in_use)(m) ? INUSE_PMI : 0;
    *value = rule(m, inuse_shown)(m, in_use);
    return true;
}

/* Read-only: each write is a #GP and changes nothing. */
bool good_inuse_writable(struct model *m, uint64_t value)
{
    (void)m, (void)value;
    return false;
}

bool model_inuse_write(struct model *m, unsigned unused, uint64_t value)
{
    (void)unused;
    return rule(m, inuse_writable)(m, value);
}
