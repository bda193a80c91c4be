/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of freezing on a PMI, and of thawing. */
#define CHAPTERS "freeze.*"
#include "reference/deviations/stand_in.h"

/* ---- Counters */

INSTEAD(freeze_asked, unasked, below(FREEZE_WITHOUT_DEBUGCTL, freeze_asked) || strikes(m, FREEZE_WITHOUT_DEBUGCTL));
DEFECT(FREEZE_WITHOUT_DEBUGCTL, "freeze-without-debugctl", "a PMI freezes the counters though DEBUGCTL[12] is 0",
       "Skylake's reported \"bogus freezing\"", ALSO_ON("haswell", "lunar-lake"), INTERMITTENT,
       STANDS_IN(FOR(freeze_asked, unasked)));

static void missing(struct model *m)
{
    if (!strikes(m, FREEZE_MISSING))
        replaced(m, FREEZE_MISSING, freeze_counters)(m);
}
DEFECT(FREEZE_MISSING, "freeze-missing", "a PMI freezes nothing though DEBUGCTL[12] is 1", "SKL125 (there for PT)",
       ALSO_ON("haswell"), INTERMITTENT, STANDS_IN(FOR(freeze_counters, missing)));

static void missing_by_nmi(struct model *m)
{
    if (!comes_as_nmi(m) || !strikes(m, FREEZE_NOT_BY_NMI))
        replaced(m, FREEZE_NOT_BY_NMI, freeze_counters)(m);
}
DEFECT(FREEZE_NOT_BY_NMI, "freeze-not-by-nmi", "a PMI that comes as an NMI freezes no counters",
       "class: perf takes all its PMIs so", ALSO_ON("haswell"), STANDS_IN(FOR(freeze_counters, missing_by_nmi)));

static void missing_at_cpl_3(struct model *m)
{
    if (!caused_by_user(m) || !strikes(m, FREEZE_NOT_AT_CPL_3))
        replaced(m, FREEZE_NOT_AT_CPL_3, freeze_counters)(m);
}
DEFECT(FREEZE_NOT_AT_CPL_3, "freeze-not-at-cpl-3", "an overflow at CPL 3 freezes no counters",
       "class: a freeze of the kernel's own", ALSO_ON("haswell"), STANDS_IN(FOR(freeze_counters, missing_at_cpl_3)));

/* Only if all three conditions hold. */
static void missing_by_nmi_at_cpl_3(struct model *m)
{
    bool here = caused_by_user(m) && comes_as_nmi(m) && m->active.count == 1;
    if (!here || !strikes(m, FREEZE_NOT_ALONE_BY_NMI_AT_CPL_3))
        replaced(m, FREEZE_NOT_ALONE_BY_NMI_AT_CPL_3, freeze_counters)(m);
}
DEFECT(FREEZE_NOT_ALONE_BY_NMI_AT_CPL_3, "freeze-not-alone-by-nmi-at-cpl-3",
       "an overflow at CPL 3 of the only counter that is on, whose PMI comes as an NMI, does not freeze it",
       "class: a corner of three conditions", STANDS_IN(FOR(freeze_counters, missing_by_nmi_at_cpl_3)));

/* Do a GP and a fixed counter ask for a PMI at this moment? */
struct mixed {
    bool now;
};

static void notes_mixed(struct model *m, uint64_t wrapped, uint64_t asking)
{
    struct mixed *mixed = memory(m, FREEZE_NOT_BY_GP_AND_FIXED, struct mixed);
    mixed->now = (asking & MASK(31, 0)) && asking >> 32;
    replaced(m, FREEZE_NOT_BY_GP_AND_FIXED, overflow_interrupts)(m, wrapped, asking);
    mixed->now = false;
}

INSTEAD(freeze_asked, unless_mixed,
        below(FREEZE_NOT_BY_GP_AND_FIXED, freeze_asked) &&
            !(memory(m, FREEZE_NOT_BY_GP_AND_FIXED, struct mixed)->now && strikes(m, FREEZE_NOT_BY_GP_AND_FIXED)));
DEFECT(FREEZE_NOT_BY_GP_AND_FIXED, "freeze-not-by-gp-and-fixed",
       "a GP and a fixed counter that wrap in the same instruction freeze nothing", "class: one input excludes another",
       MEANT_FOR("freeze.on-pmi"), STANDS_IN(FOR(overflow_interrupts, notes_mixed), FOR(freeze_asked, unless_mixed)));

static void clears_global_ctrl(struct model *m)
{
    replaced(m, FREEZE_CLEARS_GLOBAL_CTRL, freeze_counters)(m);
    if (strikes(m, FREEZE_CLEARS_GLOBAL_CTRL))
        m->controls.stored[STORED_GLOBAL_CTRL] = 0;
}
DEFECT(FREEZE_CLEARS_GLOBAL_CTRL, "freeze-clears-global-ctrl", "a freeze clears GLOBAL_CTRL as well", "version 2 and 3",
       STANDS_IN(FOR(freeze_counters, clears_global_ctrl)));

static void clears_own_bit(struct model *m)
{
    replaced(m, FREEZE_BIT_CLEARED, freeze_counters)(m);
    if (strikes(m, FREEZE_BIT_CLEARED))
        m->controls.stored[STORED_DEBUGCTL] &= ~DEBUGCTL_FREEZE_PERFMON_ON_PMI;
}
DEFECT(FREEZE_BIT_CLEARED, "freeze-bit-cleared", "a freeze clears DEBUGCTL[12]", "HSD52 (there an SMI does)",
       STANDS_IN(FOR(freeze_counters, clears_own_bit)));

static void freezes_without_int(struct model *m, uint64_t wrapped, uint64_t asking)
{
    if (wrapped && !asking && strikes(m, FREEZE_WITHOUT_INT))
        model_freeze(m);
    replaced(m, FREEZE_WITHOUT_INT, overflow_interrupts)(m, wrapped, asking);
}
VARIATION(FREEZE_WITHOUT_INT, "freeze-without-int", "an overflow without the interrupt bit freezes too",
          "one of the manual's two texts", ALSO_ON("goldmont-plus"),
          STANDS_IN(FOR(overflow_interrupts, freezes_without_int)));

static void frozen_by_overflow(struct model *m, uint64_t value, uint64_t clear)
{
    bool frozen = m->status.bits & STATUS_CTR_FRZ;
    replaced(m, FREEZE_UNTIL_OVERFLOW_CLEAR, status_reset)(m, value, clear);
    bool stands = m->status.bits & (MASK(31, 0) | MASK(47, 32));
    if (frozen && stands && rule(m, freeze_asked)(m) && strikes(m, FREEZE_UNTIL_OVERFLOW_CLEAR))
        m->status.bits |= STATUS_CTR_FRZ;
}
VARIATION(FREEZE_UNTIL_OVERFLOW_CLEAR, "freeze-until-overflow-clear",
          "CTR_FRZ stays as long as an overflow bit stands and DEBUGCTL[12] is 1",
          "class of HSD91 and BDM38: an overflow is signalled until its bit is cleared", ALSO_ON("sapphire-rapids"),
          STANDS_IN(FOR(status_reset, frozen_by_overflow)));

INSTEAD(counters_frozen, ctr_frz_ignored, below(CTR_FRZ_IGNORED, counters_frozen) && !strikes(m, CTR_FRZ_IGNORED));
DEFECT(CTR_FRZ_IGNORED, "ctr-frz-ignored", "counters run on while CTR_FRZ is set", "class of SKL90",
       ALSO_ON("lunar-lake"), INTERMITTENT, NOT_BY(ERRATUM_ON("ice-lake", "SKL90", 0x506e3, 0xf0, 0, 1)),
       STANDS_IN(FOR(counters_frozen, ctr_frz_ignored)));

CHANGED(spared_by_freeze, last_gp_spared, CTR_FRZ_SPARES_LAST_GP,
        strikes(m, CTR_FRZ_SPARES_LAST_GP) ? good | GLOBAL_GP(m->p.gp_count - 1) : good);
DEFECT(CTR_FRZ_SPARES_LAST_GP, "ctr-frz-spares-last-gp", "the last GP counter runs on while CTR_FRZ is set",
       "SKL90, CML56 (there PMC4 to 7)", STANDS_IN(FOR(spared_by_freeze, last_gp_spared)));

CHANGED(spared_by_freeze, upper_gp_spared, CTR_FRZ_SPARES_PMC4_7,
        strikes(m, CTR_FRZ_SPARES_PMC4_7) ? good | MASK(7, 4) : good);
DEFECT(CTR_FRZ_SPARES_PMC4_7, "ctr-frz-spares-pmc4-7",
       "without hyper-threading, counters 4 to 7 run on while CTR_FRZ is set", "SKL90, CML56; Skylake to Comet Lake",
       ON("ice-lake"), MIMICS(ERRATUM("SKL90", 0x506e3, 0xf0, 0, 1), ERRATUM("CML56", 0xa0655, 0xe2, 0, 1)),
       DATA(deviation_without_threads), STANDS_IN(FOR(spared_by_freeze, upper_gp_spared)));

/* ---- Thawing */

struct stays {
    bool frozen;
};

static uint64_t never_thaws(struct model *m, uint64_t clear)
{
    bool thaws = m->status.bits & clear & STATUS_CTR_FRZ;
    if (thaws && strikes(m, FREEZE_NEVER_THAWS))
        memory(m, FREEZE_NEVER_THAWS, struct stays)->frozen = true;
    return replaced(m, FREEZE_NEVER_THAWS, status_cleared)(m, clear);
}

static uint64_t thaws_with_global_ctrl(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    if (which == STORED_GLOBAL_CTRL)
        memory(m, FREEZE_NEVER_THAWS, struct stays)->frozen = false;
    return replaced(m, FREEZE_NEVER_THAWS, stored_kept)(m, which, was, value);
}

INSTEAD(counters_frozen, stays_frozen,
        memory(m, FREEZE_NEVER_THAWS, struct stays)->frozen || below(FREEZE_NEVER_THAWS, counters_frozen));
DEFECT(FREEZE_NEVER_THAWS, "freeze-never-thaws", "after CTR_FRZ is cleared nothing counts until GLOBAL_CTRL is written",
       "Goldmont below its microcode floors; handlers of version 2", ON("goldmont-plus"),
       MIMICS(ERRATUM_UNTIL("goldmont-plus", "freeze-ucode", 0x506c9, 0x2d, 0x2e),
              ERRATUM_UNTIL("goldmont-plus", "freeze-ucode", 0x506f1, 0x27, 0x28),
              ERRATUM_UNTIL("goldmont-plus", "freeze-ucode", 0x706a1, 0x27, 0x28)),
       NOT_BY(ERRATUM_ON("goldmont-plus", "freeze-ucode", 0x706a1, 0x28, 0, 0)),
       STANDS_IN(FOR(status_cleared, never_thaws), FOR(stored_kept, thaws_with_global_ctrl),
                 FOR(counters_frozen, stays_frozen)));

/* Whether one write to clear a freeze bit had no effect. */
struct asked {
    bool once;
};

/* Is this the first write that would thaw? */
static bool first_write(const struct model *m, struct asked *asked, uint64_t clear)
{
    bool thaws = m->status.bits & clear & (STATUS_CTR_FRZ | STATUS_LBR_FRZ);
    bool first = thaws && !asked->once;
    asked->once = thaws ? first : asked->once;
    return first;
}

static uint64_t counters_thaw_late(struct model *m, uint64_t clear)
{
    bool first = first_write(m, memory(m, CTR_FRZ_NEEDS_TWO_WRITES, struct asked), clear);
    if (first && strikes(m, CTR_FRZ_NEEDS_TWO_WRITES))
        clear &= ~STATUS_CTR_FRZ;
    return replaced(m, CTR_FRZ_NEEDS_TWO_WRITES, status_cleared)(m, clear);
}
DEFECT(CTR_FRZ_NEEDS_TWO_WRITES, "ctr-frz-needs-two-writes", "only the second write to STATUS_RESET clears CTR_FRZ",
       "class", STANDS_IN(FOR(status_cleared, counters_thaw_late)));

static uint64_t lbrs_thaw_late(struct model *m, uint64_t clear)
{
    bool first = first_write(m, memory(m, LBR_FRZ_NEEDS_TWO_WRITES, struct asked), clear);
    if (first && strikes(m, LBR_FRZ_NEEDS_TWO_WRITES))
        clear &= ~STATUS_LBR_FRZ;
    return replaced(m, LBR_FRZ_NEEDS_TWO_WRITES, status_cleared)(m, clear);
}
DEFECT(LBR_FRZ_NEEDS_TWO_WRITES, "lbr-frz-needs-two-writes", "only the second write to STATUS_RESET clears LBR_FRZ",
       "class", MEANT_FOR("freeze.*,lbr.freeze"), STANDS_IN(FOR(status_cleared, lbrs_thaw_late)));

/* ---- Branch records */

static void lbr_frz_missing(struct model *m)
{
    if (m->p.freeze == FREEZE_STREAMLINED && strikes(m, LBR_FREEZE_MISSING))
        rule(m, lbrs_frozen)(m);
    else
        replaced(m, LBR_FREEZE_MISSING, freeze_lbrs)(m);
}
DEFECT(LBR_FREEZE_MISSING, "lbr-freeze-missing", "a PMI does not set LBR_FRZ though DEBUGCTL[11] is 1", "class",
       ALSO_ON("sapphire-rapids"), MEANT_FOR("freeze.*,lbr.freeze"), STANDS_IN(FOR(freeze_lbrs, lbr_frz_missing)));

static void lbrs_go_on_by_nmi(struct model *m)
{
    if (!comes_as_nmi(m) || !strikes(m, LBR_FREEZE_NOT_BY_NMI))
        replaced(m, LBR_FREEZE_NOT_BY_NMI, freeze_lbrs)(m);
}
DEFECT(LBR_FREEZE_NOT_BY_NMI, "lbr-freeze-not-by-nmi", "a PMI that comes as an NMI freezes no branch records",
       "class: perf takes all its PMIs so", ALSO_ON("sapphire-rapids"), MEANT_FOR("freeze.*,lbr.freeze"),
       STANDS_IN(FOR(freeze_lbrs, lbrs_go_on_by_nmi)));

static void lbrs_go_on_at_cpl_3(struct model *m)
{
    if (!caused_by_user(m) || !strikes(m, LBR_FREEZE_NOT_AT_CPL_3))
        replaced(m, LBR_FREEZE_NOT_AT_CPL_3, freeze_lbrs)(m);
}
DEFECT(LBR_FREEZE_NOT_AT_CPL_3, "lbr-freeze-not-at-cpl-3", "an overflow at CPL 3 freezes no branch records",
       "class: a freeze of the kernel's own", ALSO_ON("sapphire-rapids"), MEANT_FOR("freeze.*,lbr.freeze"),
       STANDS_IN(FOR(freeze_lbrs, lbrs_go_on_at_cpl_3)));

static void clears_lbr(struct model *m)
{
    if (m->p.freeze != FREEZE_LEGACY && strikes(m, LBR_FREEZE_CLEARS_LBR))
        m->controls.stored[STORED_DEBUGCTL] &= ~DEBUGCTL_LBR, m->lbr.ctl &= ~LBR_CTL_EN;
    replaced(m, LBR_FREEZE_CLEARS_LBR, freeze_lbrs)(m);
}
DEFECT(LBR_FREEZE_CLEARS_LBR, "lbr-freeze-clears-lbr", "freezing the LBRs turns recording off",
       "versions 2 and 3; Goldmont's table", ALSO_ON("sapphire-rapids"), MEANT_FOR("freeze.*,lbr.freeze"),
       STANDS_IN(FOR(freeze_lbrs, clears_lbr)));

static void frozen_as_of_old(struct model *m)
{
    m->controls.stored[STORED_DEBUGCTL] &= ~DEBUGCTL_LBR;
    rule(m, lbrs_frozen)(m);
}
INSTEAD(lbrs_stand, never_stand, false);
VARIATION(LBR_FREEZE_OF_OLD, "lbr-freeze-of-old",
          "freezing the LBRs clears DEBUGCTL[0] and sets no LBR_FRZ, and that bit freezes none, though counters freeze "
          "as in version 4",
          "the manual's table of Goldmont", ON("goldmont-plus"),
          STANDS_IN(FOR(freeze_lbrs, frozen_as_of_old), FOR(lbrs_stand, never_stand)));

INSTEAD(lbrs_stand, lbr_frz_ignored, below(LBR_FRZ_IGNORED, lbrs_stand) && !strikes(m, LBR_FRZ_IGNORED));
DEFECT(LBR_FRZ_IGNORED, "lbr-frz-ignored", "branches are recorded while LBR_FRZ is set", "class of SKL90",
       STANDS_IN(FOR(lbrs_stand, lbr_frz_ignored)));

static void lbrs_frozen_once(struct model *m)
{
    memory(m, LBR_NEVER_THAWS, struct stays)->frozen = true;
    replaced(m, LBR_NEVER_THAWS, lbrs_frozen)(m);
}

INSTEAD(lbrs_stand, lbrs_never_thaw,
        (memory(m, LBR_NEVER_THAWS, struct stays)->frozen && strikes(m, LBR_NEVER_THAWS)) ||
            below(LBR_NEVER_THAWS, lbrs_stand));
DEFECT(LBR_NEVER_THAWS, "lbr-never-thaws",
       "once a PMI has frozen the branch records there are no more, whether or not LBR_FRZ is cleared",
       "class of freeze-never-thaws", ALSO_ON("sapphire-rapids"), MEANT_FOR("freeze.*,lbr.freeze"),
       STANDS_IN(FOR(lbrs_frozen, lbrs_frozen_once), FOR(lbrs_stand, lbrs_never_thaw)));

static void wrong_from(struct model *m)
{
    if (model_lbr_exists(m) && strikes(m, LBR_FREEZE_WRONG_FROM))
        m->lbr.from[m->lbr.tos] = m->lbr.to[m->lbr.tos];
    replaced(m, LBR_FREEZE_WRONG_FROM, lbrs_frozen)(m);
}
VARIATION(LBR_FREEZE_WRONG_FROM, "lbr-freeze-wrong-from", "the newest record of frozen ones has a wrong origin",
          "BJ94, BJ43; Sandy Bridge", STANDS_IN(FOR(lbrs_frozen, wrong_from)));

static void newest_again(struct model *m)
{
    unsigned before = m->lbr.tos;
    if (model_lbr_exists(m) && strikes(m, LBR_FREEZE_DUPLICATES_TOS)) {
        m->lbr.tos = (uint8_t)((before + 1u) % m->p.lbr_depth);
        m->lbr.from[m->lbr.tos] = m->lbr.from[before];
        m->lbr.to[m->lbr.tos] = m->lbr.to[before];
    }
    replaced(m, LBR_FREEZE_DUPLICATES_TOS, lbrs_frozen)(m);
}
VARIATION(LBR_FREEZE_DUPLICATES_TOS, "lbr-freeze-duplicates-tos",
          "a PMI that freezes the branch records repeats the newest one", "SKL186; Skylake to Comet Lake",
          STANDS_IN(FOR(lbrs_frozen, newest_again)));
