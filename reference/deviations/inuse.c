/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of IA32_PERF_GLOBAL_INUSE. */
#define CHAPTERS "inuse.*,share.*"
#include "reference/deviations/stand_in.h"

/* ---- GP bits */

DEFECT(inuse_0_missing, INSTEAD(gp_in_use, n == 0, false), "EVTSEL0 is programmed and INUSE[0] is 0",
       "reported for pcm on a Skylake", NOT_BY(ERRATUM_TSX("SKL179", 0x506e3, 0xf0)));
DEFECT(inuse_3_foreign, INSTEAD(gp_in_use, n == 3, true), "INUSE[3] is 1 though EVTSEL3 is 0", "SKL179",
       MIMICS(ERRATUM_TSX("SKL179", 0x506e3, 0xf0), ERRATUM_TSX("tsx-force-abort", 0x906ec, 0xd6)),
       NOT_BY(ERRATUM("SKL179", 0x506e3, 0xf0, 0x800, 0)));
DEFECT(inuse_follows_en, INSTEAD(gp_in_use, true, m->controls.evtsel[n] & EVTSEL_EN), "a GP bit follows EVTSEL.EN",
       "class: claimed read as running");
DEFECT(inuse_follows_umask, INSTEAD(gp_in_use, true, m->controls.evtsel[n] & MASK(15, 0)),
       "a GP bit is set by the unit mask too", "class: 16-bit compare");

/* Is a further field of the event select set? It sets the bit, too, or hides it. */
static bool by_field(struct model *m, unsigned n, uint64_t field)
{
    return m->controls.evtsel[n] & field;
}

DEFECT(inuse_follows_edge, INSTEAD(gp_in_use, by_field(m, n, EVTSEL_EDGE), true), "a GP bit is set by EVTSEL.E too",
       "class: a compare too wide");
DEFECT(inuse_follows_int, INSTEAD(gp_in_use, by_field(m, n, EVTSEL_INT), true), "a GP bit is set by EVTSEL.INT too",
       "class: mixed up with INUSE[63]");
DEFECT(inuse_follows_inv_and_cmask, INSTEAD(gp_in_use, by_field(m, n, EVTSEL_INV | EVTSEL_CMASK(0xff)), true),
       "a GP bit is set by EVTSEL.INV and CMASK too", "class: a compare too wide");
DEFECT(inuse_follows_any, INSTEAD(gp_in_use, by_field(m, n, EVTSEL_ANY | MASK(63, 32)), true),
       "a GP bit is set by AnyThread and the upper half too", "class: a compare too wide");
DEFECT(inuse_not_with_inv, INSTEAD(gp_in_use, by_field(m, n, EVTSEL_INV), false), "a GP bit is 0 while EVTSEL.INV is 1",
       "class: an inverted compare");

static bool globally_on(const struct model *m, unsigned n)
{
    return m->controls.stored[STORED_GLOBAL_CTRL] & GLOBAL_GP(n);
}

DEFECT(inuse_follows_global, IS(gp_in_use, !(strikes() && !globally_on(m, n)) && below(gp_in_use)),
       "a GP bit needs the GLOBAL_CTRL bit", "class: claimed read as running");
DEFECT(inuse_by_global, IS(gp_in_use, (strikes() && globally_on(m, n)) || below(gp_in_use)),
       "a GP bit is set by the GLOBAL_CTRL bit too", "class: claimed read as running");
DEFECT(inuse_by_value, INSTEAD(gp_in_use, m->counters.pmc[n], true),
       "a GP bit is set by a counter value that is not 0 too", "class: used read as claimed");
DEFECT(inuse_by_event_high, INSTEAD(gp_in_use, true, m->controls.evtsel[n] & MASK(7, 6)),
       "a GP bit follows event-select bits 7:6 only", "class: a comparison that leaves out bits");

DEFECT(inuse_by_known_event,
       INSTEAD(gp_in_use, true, (m->controls.evtsel[n] & MASK(7, 6)) || (m->controls.evtsel[n] & 0x3c) == 0x3c),
       "a GP bit is set by architectural events only", "class: decoded events for a byte");
DEFECT(inuse_by_umask_7, INSTEAD(gp_in_use, true, m->controls.evtsel[n] & (MASK(7, 0) | BIT(15))),
       "a GP bit is set by bit 7 of the unit mask too", "class: a comparison one bit too wide");

/* ---- Fixed bits */

DEFECT(inuse_fixed_missing, INSTEAD(fixed_in_use, true, false), "fixed bits are never set", "class");
DEFECT(inuse_32_phantom, INSTEAD(fixed_in_use, i == 0, true), "INUSE[32] is 1 though fixed counter 0 is off", "class");

DEFECT(inuse_fixed_needs_both,
       INSTEAD(fixed_in_use, true, !(~m->controls.stored[STORED_FIXED_CTR_CTRL] & (FIXED_OS(i) | FIXED_USR(i)))),
       "a fixed bit needs OS and USR", "class: AND for OR");
DEFECT(inuse_fixed_by_pmi, INSTEAD(fixed_in_use, true, m->controls.stored[STORED_FIXED_CTR_CTRL] & FIXED_FIELD(i)),
       "a fixed bit is set by the PMI bit alone", "class: whole-nibble compare");

/* ---- PMI_InUse */

DEFECT(pmi_inuse_at_32, BEFORE(inuse_shown, (in_use & INUSE_PMI), in_use = (in_use & ~INUSE_PMI) | INUSE_FIXED(0)),
       "PMI_InUse shows at bit 32", "one sentence of the 2016 manual");
DEFECT(pmi_inuse_ignores_gp, INSTEAD(pmi_used_by_gp, true, false), "EVTSEL.INT does not set PMI_InUse", "class");
DEFECT(pmi_inuse_ignores_fixed, INSTEAD(pmi_used_by_fixed, true, false),
       "FIXED_CTR_CTRL's PMI bits do not set PMI_InUse", "class");
DEFECT(pmi_inuse_ignores_pebs, INSTEAD(pmi_used_by_pebs, true, false), "PEBS_ENABLE does not set PMI_InUse", "class");

static bool any_enabled_asks(const struct model *m)
{
    uint64_t control = m->controls.stored[STORED_FIXED_CTR_CTRL];
    bool any = false;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        any |= (m->controls.evtsel[n] & EVTSEL_INT) && (m->controls.evtsel[n] & EVTSEL_EN);
    for (unsigned i = 0; i < FIXED_MAX; i++)
        any |= (control & FIXED_PMI(i)) && (control & (FIXED_OS(i) | FIXED_USR(i)));
    return any;
}

DEFECT(pmi_inuse_needs_enable, INSTEAD(pmi_in_use, true, any_enabled_asks(m) || rule(m, pmi_used_by_pebs)(m)),
       "PMI bits count only on enabled counters", "class");

/* How many bits ask for a PMI? */
static unsigned pmi_users(const struct model *m)
{
    unsigned users = 0;
    for (uint64_t bits = m->controls.stored[STORED_PEBS_ENABLE]; bits; bits &= bits - 1)
        users++;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        users += !!(m->controls.evtsel[n] & EVTSEL_INT);
    for (unsigned i = 0; i < FIXED_MAX; i++)
        users += !!(m->controls.stored[STORED_FIXED_CTR_CTRL] & FIXED_PMI(i));
    return users;
}

struct pmi_users {
    unsigned seen;
    bool fallen;
};

STAND_IN(pmi_inuse_falls_with_one, pmi_in_use)
{
    struct pmi_users *users = memory(struct pmi_users);
    unsigned now = pmi_users(m);
    if (now != users->seen)
        users->fallen = now < users->seen;
    users->seen = now;
    return !(users->fallen && strikes()) && below(pmi_in_use);
}
DEFECT(pmi_inuse_falls_with_one, FUNCTIONS, "PMI_InUse is cleared when one of several users ends",
       "class: a flip-flop for an OR");

DEFECT(pmi_inuse_exclusive,
       INSTEAD(pmi_in_use, true,
               rule(m, pmi_used_by_gp)(m) ^ rule(m, pmi_used_by_fixed)(m) ^ rule(m, pmi_used_by_pebs)(m)),
       "PMI_InUse is clear with users of two kinds", "class: XOR for OR");

/* Users of the interrupt in order: GP counters, fixed counters, bits of IA32_PEBS_ENABLE. */
#define FIXED_USERS 64
#define PEBS_USERS 128

struct pmi_ends {
    unsigned users, first, last;
    bool fallen;
};

static void add_user(struct pmi_ends *ends, bool there, unsigned place)
{
    if (!there)
        return;
    ends->first = ends->users++ ? ends->first : place;
    ends->last = place;
}

static struct pmi_ends pmi_ends(const struct model *m)
{
    struct pmi_ends ends = {0};
    for (unsigned n = 0; n < m->p.gp_count; n++)
        add_user(&ends, m->controls.evtsel[n] & EVTSEL_INT, n);
    for (unsigned i = 0; i < FIXED_MAX; i++)
        add_user(&ends, m->controls.stored[STORED_FIXED_CTR_CTRL] & FIXED_PMI(i), FIXED_USERS + i);
    for (unsigned bit = 0; bit < 64; bit++)
        add_user(&ends, m->controls.stored[STORED_PEBS_ENABLE] & BIT(bit), PEBS_USERS + bit);
    return ends;
}

/* Has the first of several users gone, or (if `last`) the last? */
static bool end_has_gone(struct model *m, struct pmi_ends *was, bool last)
{
    struct pmi_ends now = pmi_ends(m);
    if (now.users != was->users)
        now.fallen = now.users && now.users < was->users && (last ? now.last < was->last : now.first > was->first);
    else
        now.fallen = was->fallen;
    *was = now;
    return now.fallen;
}

DEFECT(pmi_inuse_falls_with_first, INSTEAD(pmi_in_use, end_has_gone(m, memory(struct pmi_ends), false), false),
       "PMI_InUse is cleared when the first of several users ends", "class: a priority encoder for an OR",
       MEANT_FOR("inuse.pmi"));
DEFECT(pmi_inuse_falls_with_last, INSTEAD(pmi_in_use, end_has_gone(m, memory(struct pmi_ends), true), false),
       "PMI_InUse is cleared when the last of several users ends", "class: a priority encoder for an OR",
       MEANT_FOR("inuse.pmi"));

STAND_IN(pmi_inuse_by_odd_gp, pmi_used_by_gp)
{
    bool odd = false;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        odd ^= !!(m->controls.evtsel[n] & EVTSEL_INT);
    return strikes() ? odd : below(pmi_used_by_gp);
}
DEFECT(pmi_inuse_by_odd_gp, FUNCTIONS, "two EVTSEL.INT set do not show in PMI_InUse", "class: XOR for OR",
       MEANT_FOR("inuse.pmi"));

STAND_IN(pmi_inuse_by_odd_fixed, pmi_used_by_fixed)
{
    bool odd = false;
    for (unsigned i = 0; i < FIXED_MAX; i++)
        odd ^= !!(m->controls.stored[STORED_FIXED_CTR_CTRL] & FIXED_PMI(i));
    return strikes() ? odd : below(pmi_used_by_fixed);
}
DEFECT(pmi_inuse_by_odd_fixed, FUNCTIONS, "two PMI bits of FIXED_CTR_CTRL do not show in PMI_InUse",
       "class: XOR for OR", MEANT_FOR("inuse.pmi"));

/* ---- The register */

struct inuse {
    uint64_t seen, hidden;
};

STAND_IN(inuse_sticky, inuse_shown)
{
    struct inuse *inuse = memory(struct inuse);
    uint64_t shown = strikes() ? in_use | inuse->seen : in_use;
    inuse->seen = strikes() ? shown : in_use;
    return replaced(inuse_shown)(m, shown);
}
DEFECT(inuse_sticky, FUNCTIONS, "INUSE bits stay when the cause is gone", "class: a latch for a wire");

STAND_IN(inuse_falls_late, inuse_shown)
{
    struct inuse *inuse = memory(struct inuse);
    uint64_t shown = strikes() ? in_use | inuse->seen : in_use;
    inuse->seen = in_use;
    return replaced(inuse_shown)(m, shown);
}
DEFECT(inuse_falls_late, FUNCTIONS, "an INUSE bit reads 1 once more after its cause is gone",
       "class: read before the write has landed");
DEFECT(inuse_writable, INSTEAD(inuse_writable, m->p.inuse, true), "WRMSR of INUSE is accepted", "hypervisors");
DEFECT(inuse_write_changes,
       ALL(BEFORE(inuse_writable, true, memory(struct inuse)->hidden = ~value),
           NOTES(inuse_shown, true, in_use &= ~memory(struct inuse)->hidden)),
       "WRMSR of INUSE faults, and yet hides the bits written as 0", "class: checked too late");
DEFECT(pmi_inuse_stuck, INSTEAD(pmi_in_use, true, true), "INUSE[63] reads 1, whoever uses the PMI",
       "class: one bad bit");
