/*
 * IA32_PERF_GLOBAL_INUSE is not storage: each bit follows other registers. SDM 3B, "IA32_PERF_GLOBAL_INUSE MSR".
 */
#include "pmu/reference/model/model_state.h"

/* Bit n: is the event-select byte of IA32_PERFEVTSELn non-zero? */
static bool gp_in_use(struct model *m, unsigned n)
{
    uint64_t evtsel = m->evtsel[n];
    if (n == 0 && deviates(m, DEV_INUSE_0_MISSING))
        return false;
    if (n == 3 && deviates(m, DEV_INUSE_3_FOREIGN))
        return true;
    if (deviates(m, DEV_INUSE_FOLLOWS_EN))
        return evtsel & EVTSEL_EN;
    if (deviates(m, DEV_INUSE_FOLLOWS_UMASK))
        return evtsel & MASK(15, 0);
    if (deviates(m, DEV_INUSE_FOLLOWS_GLOBAL) && !(m->stored[STORED_GLOBAL_CTRL] & GLOBAL_GP(n)))
        return false;
    if (deviates(m, DEV_INUSE_BY_GLOBAL) && (m->stored[STORED_GLOBAL_CTRL] & GLOBAL_GP(n)))
        return true;
    if (m->pmc[n] && deviates(m, DEV_INUSE_BY_VALUE))
        return true;
    return evtsel & MASK(7, 0);
}

/* Bit 32 + i: is the counter enabled for either ring? */
static bool fixed_in_use(struct model *m, unsigned i)
{
    uint64_t control = m->stored[STORED_FIXED_CTR_CTRL], both = FIXED_OS(i) | FIXED_USR(i);
    if (deviates(m, DEV_INUSE_FIXED_MISSING))
        return false;
    if (i == 0 && deviates(m, DEV_INUSE_32_PHANTOM))
        return true;
    if (deviates(m, DEV_INUSE_FIXED_NEEDS_BOTH))
        return (control & both) == both;
    if (deviates(m, DEV_INUSE_FIXED_BY_PMI))
        return control & FIXED_FIELD(i);
    return control & both;
}

/* PMI_InUse: can anything raise a PMI? */
static bool pmi_in_use(struct model *m)
{
    bool needs_enable = deviates(m, DEV_PMI_INUSE_NEEDS_ENABLE), gp = false, fixed = false;
    uint64_t control = m->stored[STORED_FIXED_CTR_CTRL];
    for (unsigned n = 0; n < m->p.gp_count; n++)
        gp |= (m->evtsel[n] & EVTSEL_INT) && (!needs_enable || (m->evtsel[n] & EVTSEL_EN));
    for (unsigned i = 0; i < FIXED_MAX; i++)
        fixed |= (control & FIXED_PMI(i)) && (!needs_enable || (control & (FIXED_OS(i) | FIXED_USR(i))));
    if (deviates(m, DEV_PMI_INUSE_IGNORES_GP))
        gp = false;
    if (deviates(m, DEV_PMI_INUSE_IGNORES_FIXED))
        fixed = false;
    bool pebs = m->stored[STORED_PEBS_ENABLE] && !deviates(m, DEV_PMI_INUSE_IGNORES_PEBS);
    return gp || fixed || pebs;
}

bool model_inuse_read(struct model *m, unsigned unused, uint64_t *value)
{
    uint64_t in_use = 0;
    (void)unused;
    if (!m->p.inuse)
        return false;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        in_use |= gp_in_use(m, n) ? INUSE_GP(n) : 0;
    for (unsigned i = 0; i < FIXED_MAX; i++)
        if (m->p.fixed_bitmap >> i & 1)
            in_use |= fixed_in_use(m, i) ? INUSE_FIXED(i) : 0;
    if (pmi_in_use(m))
        in_use |= deviates(m, DEV_PMI_INUSE_AT_32) ? INUSE_FIXED(0) : INUSE_PMI;
    uint64_t shown = in_use;
    if (deviates(m, DEV_INUSE_STICKY) || deviates(m, DEV_INUSE_FALLS_LATE))
        shown |= m->inuse_seen;
    m->inuse_seen = deviates(m, DEV_INUSE_STICKY) ? shown : in_use;
    *value = shown & ~m->inuse_hidden;
    return true;
}

/* Read-only: a #GP whatever the value. */
bool model_inuse_write(struct model *m, unsigned unused, uint64_t value)
{
    (void)unused;
    if (deviates(m, DEV_INUSE_WRITE_CHANGES))
        m->inuse_hidden = ~value;
    return m->p.inuse && deviates(m, DEV_INUSE_WRITABLE);
}
