/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of IA32_PERF_GLOBAL_INUSE. */
#define CHAPTERS "inuse.*,share.*"
#include "reference/deviations/stand_in.h"

/* ---- GP bits */

INSTEAD(gp_in_use, first_missing, !(n == 0 && strikes(m, INUSE_0_MISSING)) && below(INUSE_0_MISSING, gp_in_use));
DEFECT(INUSE_0_MISSING, "inuse-0-missing", "EVTSEL0 is programmed and INUSE[0] is 0", "reported for pcm on a Skylake",
       NOT_BY(ERRATUM_TSX("SKL179", 0x506e3, 0xf0)), STANDS_IN(FOR(gp_in_use, first_missing)));

INSTEAD(gp_in_use, fourth_foreign, (n == 3 && strikes(m, INUSE_3_FOREIGN)) || below(INUSE_3_FOREIGN, gp_in_use));
DEFECT(INUSE_3_FOREIGN, "inuse-3-foreign", "INUSE[3] is 1 though EVTSEL3 is 0", "SKL179",
       MIMICS(ERRATUM_TSX("SKL179", 0x506e3, 0xf0), ERRATUM_TSX("tsx-force-abort", 0x906ec, 0xd6)),
       NOT_BY(ERRATUM("SKL179", 0x506e3, 0xf0, 0x800, 0)), STANDS_IN(FOR(gp_in_use, fourth_foreign)));

INSTEAD(gp_in_use, follows_en,
        strikes(m, INUSE_FOLLOWS_EN) ? m->controls.evtsel[n] & EVTSEL_EN : below(INUSE_FOLLOWS_EN, gp_in_use));
DEFECT(INUSE_FOLLOWS_EN, "inuse-follows-en", "a GP bit follows EVTSEL.EN", "class: claimed read as running",
       STANDS_IN(FOR(gp_in_use, follows_en)));

INSTEAD(gp_in_use, follows_umask,
        strikes(m, INUSE_FOLLOWS_UMASK) ? m->controls.evtsel[n] & MASK(15, 0) : below(INUSE_FOLLOWS_UMASK, gp_in_use));
DEFECT(INUSE_FOLLOWS_UMASK, "inuse-follows-umask", "a GP bit is set by the unit mask too", "class: 16-bit compare",
       STANDS_IN(FOR(gp_in_use, follows_umask)));

/* Is a further field of the event select set? It sets the bit, too, or hides it. */
static bool by_field(struct model *m, unsigned n, uint64_t field)
{
    return m->controls.evtsel[n] & field;
}

INSTEAD(gp_in_use, follows_edge,
        (by_field(m, n, EVTSEL_EDGE) && strikes(m, INUSE_FOLLOWS_EDGE)) || below(INUSE_FOLLOWS_EDGE, gp_in_use));
DEFECT(INUSE_FOLLOWS_EDGE, "inuse-follows-edge", "a GP bit is set by EVTSEL.E too", "class: a compare too wide",
       STANDS_IN(FOR(gp_in_use, follows_edge)));

INSTEAD(gp_in_use, follows_int,
        (by_field(m, n, EVTSEL_INT) && strikes(m, INUSE_FOLLOWS_INT)) || below(INUSE_FOLLOWS_INT, gp_in_use));
DEFECT(INUSE_FOLLOWS_INT, "inuse-follows-int", "a GP bit is set by EVTSEL.INT too", "class: mixed up with INUSE[63]",
       STANDS_IN(FOR(gp_in_use, follows_int)));

INSTEAD(gp_in_use, follows_inv,
        (by_field(m, n, EVTSEL_INV | EVTSEL_CMASK(0xff)) && strikes(m, INUSE_FOLLOWS_INV_AND_CMASK)) ||
            below(INUSE_FOLLOWS_INV_AND_CMASK, gp_in_use));
DEFECT(INUSE_FOLLOWS_INV_AND_CMASK, "inuse-follows-inv-and-cmask", "a GP bit is set by EVTSEL.INV and CMASK too",
       "class: a compare too wide", STANDS_IN(FOR(gp_in_use, follows_inv)));

INSTEAD(gp_in_use, not_with_inv,
        !(by_field(m, n, EVTSEL_INV) && strikes(m, INUSE_NOT_WITH_INV)) && below(INUSE_NOT_WITH_INV, gp_in_use));
DEFECT(INUSE_NOT_WITH_INV, "inuse-not-with-inv", "a GP bit is 0 while EVTSEL.INV is 1", "class: an inverted compare",
       STANDS_IN(FOR(gp_in_use, not_with_inv)));

static bool globally_on(const struct model *m, unsigned n)
{
    return m->controls.stored[STORED_GLOBAL_CTRL] & GLOBAL_GP(n);
}

INSTEAD(gp_in_use, needs_global,
        !(strikes(m, INUSE_FOLLOWS_GLOBAL) && !globally_on(m, n)) && below(INUSE_FOLLOWS_GLOBAL, gp_in_use));
DEFECT(INUSE_FOLLOWS_GLOBAL, "inuse-follows-global", "a GP bit needs the GLOBAL_CTRL bit",
       "class: claimed read as running", STANDS_IN(FOR(gp_in_use, needs_global)));

INSTEAD(gp_in_use, set_by_global,
        (strikes(m, INUSE_BY_GLOBAL) && globally_on(m, n)) || below(INUSE_BY_GLOBAL, gp_in_use));
DEFECT(INUSE_BY_GLOBAL, "inuse-by-global", "a GP bit is set by the GLOBAL_CTRL bit too",
       "class: claimed read as running", STANDS_IN(FOR(gp_in_use, set_by_global)));

INSTEAD(gp_in_use, set_by_value,
        (m->counters.pmc[n] && strikes(m, INUSE_BY_VALUE)) || below(INUSE_BY_VALUE, gp_in_use));
DEFECT(INUSE_BY_VALUE, "inuse-by-value", "a GP bit is set by a counter value that is not 0 too",
       "class: used read as claimed", STANDS_IN(FOR(gp_in_use, set_by_value)));

INSTEAD(gp_in_use, high_event_bits,
        strikes(m, INUSE_BY_EVENT_HIGH) ? m->controls.evtsel[n] & MASK(7, 6) : below(INUSE_BY_EVENT_HIGH, gp_in_use));
DEFECT(INUSE_BY_EVENT_HIGH, "inuse-by-event-high", "a GP bit follows event-select bits 7:6 only",
       "class: a comparison that leaves out bits", STANDS_IN(FOR(gp_in_use, high_event_bits)));

static bool known_events(struct model *m, unsigned n)
{
    uint64_t event = m->controls.evtsel[n] & MASK(7, 0);
    if (strikes(m, INUSE_BY_KNOWN_EVENT))
        return (event & MASK(7, 6)) || (event & 0x3c) == 0x3c;
    return replaced(m, INUSE_BY_KNOWN_EVENT, gp_in_use)(m, n);
}
DEFECT(INUSE_BY_KNOWN_EVENT, "inuse-by-known-event", "a GP bit is set by architectural events only",
       "class: decoded events for a byte", STANDS_IN(FOR(gp_in_use, known_events)));

INSTEAD(gp_in_use, set_by_last_unit_mask_bit,
        strikes(m, INUSE_BY_UMASK_7) ? m->controls.evtsel[n] & (MASK(7, 0) | BIT(15))
                                     : below(INUSE_BY_UMASK_7, gp_in_use));
DEFECT(INUSE_BY_UMASK_7, "inuse-by-umask-7", "a GP bit is set by bit 7 of the unit mask too",
       "class: a comparison one bit too wide", STANDS_IN(FOR(gp_in_use, set_by_last_unit_mask_bit)));

/* ---- Fixed bits */

INSTEAD(fixed_in_use, fixed_missing, !strikes(m, INUSE_FIXED_MISSING) && below(INUSE_FIXED_MISSING, fixed_in_use));
DEFECT(INUSE_FIXED_MISSING, "inuse-fixed-missing", "fixed bits are never set", "class",
       STANDS_IN(FOR(fixed_in_use, fixed_missing)));

static bool phantom(struct model *m, unsigned i)
{
    return (i == 0 && strikes(m, INUSE_32_PHANTOM)) || replaced(m, INUSE_32_PHANTOM, fixed_in_use)(m, i);
}
DEFECT(INUSE_32_PHANTOM, "inuse-32-phantom", "INUSE[32] is 1 though fixed counter 0 is off", "class",
       STANDS_IN(FOR(fixed_in_use, phantom)));

static bool needs_both(struct model *m, unsigned i)
{
    uint64_t both = FIXED_OS(i) | FIXED_USR(i);
    if (strikes(m, INUSE_FIXED_NEEDS_BOTH))
        return (m->controls.stored[STORED_FIXED_CTR_CTRL] & both) == both;
    return replaced(m, INUSE_FIXED_NEEDS_BOTH, fixed_in_use)(m, i);
}
DEFECT(INUSE_FIXED_NEEDS_BOTH, "inuse-fixed-needs-both", "a fixed bit needs OS and USR", "class: AND for OR",
       STANDS_IN(FOR(fixed_in_use, needs_both)));

INSTEAD(fixed_in_use, set_by_pmi,
        strikes(m, INUSE_FIXED_BY_PMI) ? m->controls.stored[STORED_FIXED_CTR_CTRL] & FIXED_FIELD(i)
                                       : below(INUSE_FIXED_BY_PMI, fixed_in_use));
DEFECT(INUSE_FIXED_BY_PMI, "inuse-fixed-by-pmi", "a fixed bit is set by the PMI bit alone",
       "class: whole-nibble compare", STANDS_IN(FOR(fixed_in_use, set_by_pmi)));

/* ---- PMI_InUse */

static uint64_t at_32(struct model *m, uint64_t in_use)
{
    if ((in_use & INUSE_PMI) && strikes(m, PMI_INUSE_AT_32))
        in_use = (in_use & ~INUSE_PMI) | INUSE_FIXED(0);
    return replaced(m, PMI_INUSE_AT_32, inuse_shown)(m, in_use);
}
DEFECT(PMI_INUSE_AT_32, "pmi-inuse-at-32", "PMI_InUse shows at bit 32", "one sentence of the 2016 manual",
       STANDS_IN(FOR(inuse_shown, at_32)));

INSTEAD(pmi_used_by_gp, gp_ignored, !strikes(m, PMI_INUSE_IGNORES_GP) && below(PMI_INUSE_IGNORES_GP, pmi_used_by_gp));
DEFECT(PMI_INUSE_IGNORES_GP, "pmi-inuse-ignores-gp", "EVTSEL.INT does not set PMI_InUse", "class",
       STANDS_IN(FOR(pmi_used_by_gp, gp_ignored)));

INSTEAD(pmi_used_by_fixed, fixed_ignored,
        !strikes(m, PMI_INUSE_IGNORES_FIXED) && below(PMI_INUSE_IGNORES_FIXED, pmi_used_by_fixed));
DEFECT(PMI_INUSE_IGNORES_FIXED, "pmi-inuse-ignores-fixed", "FIXED_CTR_CTRL's PMI bits do not set PMI_InUse", "class",
       STANDS_IN(FOR(pmi_used_by_fixed, fixed_ignored)));

INSTEAD(pmi_used_by_pebs, pebs_ignored,
        !strikes(m, PMI_INUSE_IGNORES_PEBS) && below(PMI_INUSE_IGNORES_PEBS, pmi_used_by_pebs));
DEFECT(PMI_INUSE_IGNORES_PEBS, "pmi-inuse-ignores-pebs", "PEBS_ENABLE does not set PMI_InUse", "class",
       STANDS_IN(FOR(pmi_used_by_pebs, pebs_ignored)));

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

INSTEAD(pmi_in_use, needs_enable,
        strikes(m, PMI_INUSE_NEEDS_ENABLE) ? any_enabled_asks(m) || rule(m, pmi_used_by_pebs)(m)
                                           : below(PMI_INUSE_NEEDS_ENABLE, pmi_in_use));
DEFECT(PMI_INUSE_NEEDS_ENABLE, "pmi-inuse-needs-enable", "PMI bits count only on enabled counters", "class",
       STANDS_IN(FOR(pmi_in_use, needs_enable)));

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

static bool falls_with_one(struct model *m)
{
    struct pmi_users *users = memory(m, PMI_INUSE_FALLS_WITH_ONE, struct pmi_users);
    unsigned now = pmi_users(m);
    if (now != users->seen)
        users->fallen = now < users->seen;
    users->seen = now;
    return !(users->fallen && strikes(m, PMI_INUSE_FALLS_WITH_ONE)) &&
           replaced(m, PMI_INUSE_FALLS_WITH_ONE, pmi_in_use)(m);
}
DEFECT(PMI_INUSE_FALLS_WITH_ONE, "pmi-inuse-falls-with-one", "PMI_InUse is cleared when one of several users ends",
       "class: a flip-flop for an OR", STANDS_IN(FOR(pmi_in_use, falls_with_one)));

static bool of_one_kind(struct model *m)
{
    bool gp = rule(m, pmi_used_by_gp)(m), fixed = rule(m, pmi_used_by_fixed)(m), pebs = rule(m, pmi_used_by_pebs)(m);
    return strikes(m, PMI_INUSE_EXCLUSIVE) ? (gp ^ fixed ^ pebs) : replaced(m, PMI_INUSE_EXCLUSIVE, pmi_in_use)(m);
}
DEFECT(PMI_INUSE_EXCLUSIVE, "pmi-inuse-exclusive", "PMI_InUse is clear with users of two kinds", "class: XOR for OR",
       STANDS_IN(FOR(pmi_in_use, of_one_kind)));

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

static bool falls_with_first(struct model *m)
{
    bool fallen = end_has_gone(m, memory(m, PMI_INUSE_FALLS_WITH_FIRST, struct pmi_ends), false);
    return !(fallen && strikes(m, PMI_INUSE_FALLS_WITH_FIRST)) &&
           replaced(m, PMI_INUSE_FALLS_WITH_FIRST, pmi_in_use)(m);
}
DEFECT(PMI_INUSE_FALLS_WITH_FIRST, "pmi-inuse-falls-with-first",
       "PMI_InUse is cleared when the first of several users ends", "class: a priority encoder for an OR",
       MEANT_FOR("inuse.pmi"), STANDS_IN(FOR(pmi_in_use, falls_with_first)));

static bool falls_with_last(struct model *m)
{
    bool fallen = end_has_gone(m, memory(m, PMI_INUSE_FALLS_WITH_LAST, struct pmi_ends), true);
    return !(fallen && strikes(m, PMI_INUSE_FALLS_WITH_LAST)) && replaced(m, PMI_INUSE_FALLS_WITH_LAST, pmi_in_use)(m);
}
DEFECT(PMI_INUSE_FALLS_WITH_LAST, "pmi-inuse-falls-with-last",
       "PMI_InUse is cleared when the last of several users ends", "class: a priority encoder for an OR",
       MEANT_FOR("inuse.pmi"), STANDS_IN(FOR(pmi_in_use, falls_with_last)));

static bool odd_gp_users(struct model *m)
{
    bool odd = false;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        odd ^= !!(m->controls.evtsel[n] & EVTSEL_INT);
    return strikes(m, PMI_INUSE_BY_ODD_GP) ? odd : replaced(m, PMI_INUSE_BY_ODD_GP, pmi_used_by_gp)(m);
}
DEFECT(PMI_INUSE_BY_ODD_GP, "pmi-inuse-by-odd-gp", "two EVTSEL.INT set do not show in PMI_InUse", "class: XOR for OR",
       MEANT_FOR("inuse.pmi"), STANDS_IN(FOR(pmi_used_by_gp, odd_gp_users)));

static bool odd_fixed_users(struct model *m)
{
    bool odd = false;
    for (unsigned i = 0; i < FIXED_MAX; i++)
        odd ^= !!(m->controls.stored[STORED_FIXED_CTR_CTRL] & FIXED_PMI(i));
    return strikes(m, PMI_INUSE_BY_ODD_FIXED) ? odd : replaced(m, PMI_INUSE_BY_ODD_FIXED, pmi_used_by_fixed)(m);
}
DEFECT(PMI_INUSE_BY_ODD_FIXED, "pmi-inuse-by-odd-fixed", "two PMI bits of FIXED_CTR_CTRL do not show in PMI_InUse",
       "class: XOR for OR", MEANT_FOR("inuse.pmi"), STANDS_IN(FOR(pmi_used_by_fixed, odd_fixed_users)));

/* ---- The register */

struct inuse {
    uint64_t seen, hidden;
};

static uint64_t sticky(struct model *m, uint64_t in_use)
{
    struct inuse *inuse = memory(m, INUSE_STICKY, struct inuse);
    uint64_t shown = strikes(m, INUSE_STICKY) ? in_use | inuse->seen : in_use;
    inuse->seen = strikes(m, INUSE_STICKY) ? shown : in_use;
    return replaced(m, INUSE_STICKY, inuse_shown)(m, shown);
}
DEFECT(INUSE_STICKY, "inuse-sticky", "INUSE bits stay when the cause is gone", "class: a latch for a wire",
       STANDS_IN(FOR(inuse_shown, sticky)));

static uint64_t falls_late(struct model *m, uint64_t in_use)
{
    struct inuse *inuse = memory(m, INUSE_FALLS_LATE, struct inuse);
    uint64_t shown = strikes(m, INUSE_FALLS_LATE) ? in_use | inuse->seen : in_use;
    inuse->seen = in_use;
    return replaced(m, INUSE_FALLS_LATE, inuse_shown)(m, shown);
}
DEFECT(INUSE_FALLS_LATE, "inuse-falls-late", "an INUSE bit reads 1 once more after its cause is gone",
       "class: read before the write has landed", STANDS_IN(FOR(inuse_shown, falls_late)));

static bool inuse_writable(struct model *m, uint64_t value)
{
    return (m->p.inuse && strikes(m, INUSE_WRITABLE)) || replaced(m, INUSE_WRITABLE, inuse_writable)(m, value);
}
DEFECT(INUSE_WRITABLE, "inuse-writable", "WRMSR of INUSE is accepted", "hypervisors",
       STANDS_IN(FOR(inuse_writable, inuse_writable)));

static bool hides_when_written(struct model *m, uint64_t value)
{
    if (strikes(m, INUSE_WRITE_CHANGES))
        memory(m, INUSE_WRITE_CHANGES, struct inuse)->hidden = ~value;
    return replaced(m, INUSE_WRITE_CHANGES, inuse_writable)(m, value);
}

static uint64_t hidden(struct model *m, uint64_t in_use)
{
    in_use &= ~memory(m, INUSE_WRITE_CHANGES, struct inuse)->hidden;
    return replaced(m, INUSE_WRITE_CHANGES, inuse_shown)(m, in_use);
}
DEFECT(INUSE_WRITE_CHANGES, "inuse-write-changes", "WRMSR of INUSE faults, and yet hides the bits written as 0",
       "class: checked too late", STANDS_IN(FOR(inuse_writable, hides_when_written), FOR(inuse_shown, hidden)));

INSTEAD(pmi_in_use, pmi_always_used, strikes(m, PMI_INUSE_STUCK) || below(PMI_INUSE_STUCK, pmi_in_use));
DEFECT(PMI_INUSE_STUCK, "pmi-inuse-stuck", "INUSE[63] reads 1, whoever uses the PMI", "class: one bad bit",
       STANDS_IN(FOR(pmi_in_use, pmi_always_used)));
