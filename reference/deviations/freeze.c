/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of freezing on a PMI, and of thawing. */
#define CHAPTERS "freeze.*"
#include "reference/deviations/stand_in.h"

/* ---- Counters */

DEFECT(freeze_without_debugctl, CHANGED(freeze_asked, !good, true),
       "a PMI freezes the counters though DEBUGCTL[12] is 0", "Skylake's reported \"bogus freezing\"",
       ALSO_ON("haswell", "lunar-lake"), INTERMITTENT);
DEFECT(freeze_missing, LOST(freeze_counters, true), "a PMI freezes nothing though DEBUGCTL[12] is 1",
       "SKL125 (there for PT)", ALSO_ON("haswell"), INTERMITTENT);
DEFECT(freeze_not_by_nmi, LOST(freeze_counters, comes_as_nmi(m)), "a PMI that comes as an NMI freezes no counters",
       "class: perf takes all its PMIs so", ALSO_ON("haswell"));
DEFECT(freeze_not_at_cpl_3, LOST(freeze_counters, caused_by_user(m)), "an overflow at CPL 3 freezes no counters",
       "class: a freeze of the kernel's own", ALSO_ON("haswell"));

DEFECT(freeze_only_once, ALL(NOTES(stored_taken, which == STORED_DEBUGCTL, noted = 0), LOST(freeze_counters, noted++)),
       "only the first PMI after a write of DEBUGCTL freezes the counters",
       "class: a latch that the set-up alone clears");
DEFECT(freeze_leaks_after_first,
       ALL(NOTES(freeze_counters, true, ++noted), NOTES(stored_taken, which == STORED_DEBUGCTL, noted = 0),
           CHANGED(counters_frozen, good && (noted > 1), false)),
       "after the first PMI, counters run on while CTR_FRZ is set", "class: a latch that the set-up alone clears");

/* Only if all three conditions hold. */
DEFECT(freeze_not_alone_by_nmi_at_cpl_3,
       LOST(freeze_counters, !(!(caused_by_user(m) && comes_as_nmi(m) && m->active.count == 1))),
       "an overflow at CPL 3 of the only counter that is on, whose PMI comes as an NMI, does not freeze it",
       "class: a corner of three conditions");

/* Do a GP and a fixed counter ask for a PMI at this moment? */
STAND_IN(freeze_not_by_gp_and_fixed, overflow_interrupts)
{
    noted = (asking & MASK(31, 0)) && asking >> 32;
    below(overflow_interrupts);
    noted = false;
}

DEFECT(freeze_not_by_gp_and_fixed, ALL(CHANGED(freeze_asked, good && (noted), false), FUNCTIONS),
       "a GP and a fixed counter that wrap in the same instruction freeze nothing", "class: one input excludes another",
       MEANT_FOR("freeze.on-pmi"));
DEFECT(freeze_clears_global_ctrl, AFTER(freeze_counters, true, m->controls.stored[STORED_GLOBAL_CTRL] = 0),
       "a freeze clears GLOBAL_CTRL as well", "version 2 and 3");
DEFECT(freeze_bit_cleared,
       AFTER(freeze_counters, true, m->controls.stored[STORED_DEBUGCTL] &= ~DEBUGCTL_FREEZE_PERFMON_ON_PMI),
       "a freeze clears DEBUGCTL[12]", "HSD52 (there an SMI does)");
VARIATION(freeze_without_int, BEFORE(overflow_interrupts, wrapped && !asking, model_freeze(m)),
          "an overflow without the interrupt bit freezes too", "one of the manual's two texts",
          ALSO_ON("goldmont-plus"));

STAND_IN(freeze_until_overflow_clear, status_reset)
{
    bool frozen = m->status.bits & STATUS_CTR_FRZ;
    below(status_reset);
    bool stands = m->status.bits & (MASK(31, 0) | MASK(47, 32));
    if (frozen && stands && rule(m, freeze_asked)(m) && strikes())
        m->status.bits |= STATUS_CTR_FRZ;
}
VARIATION(freeze_until_overflow_clear, FUNCTIONS,
          "CTR_FRZ stays as long as an overflow bit stands and DEBUGCTL[12] is 1",
          "class of HSD91 and BDM38: an overflow is signalled until its bit is cleared", ALSO_ON("sapphire-rapids"));
DEFECT(ctr_frz_ignored, CHANGED(counters_frozen, good, false), "counters run on while CTR_FRZ is set", "class of SKL90",
       ALSO_ON("lunar-lake"), INTERMITTENT, NOT_BY(ERRATUM_ON("ice-lake", "SKL90", 0x506e3, 0xf0, 0, 1)));
DEFECT(ctr_frz_spares_last_gp, CHANGED(spared_by_freeze, true, good | GLOBAL_GP(m->p.gp_count - 1)),
       "the last GP counter runs on while CTR_FRZ is set", "SKL90, CML56 (there PMC4 to 7)");
DEFECT(ctr_frz_spares_pmc4_7, CHANGED(spared_by_freeze, true, good | MASK(7, 4)),
       "without hyper-threading, counters 4 to 7 run on while CTR_FRZ is set", "SKL90, CML56; Skylake to Comet Lake",
       ON("ice-lake"), MIMICS(ERRATUM("SKL90", 0x506e3, 0xf0, 0, 1), ERRATUM("CML56", 0xa0655, 0xe2, 0, 1)),
       PREPARED(deviation_without_threads));

/* ---- Thawing */

DEFECT(freeze_never_thaws,
       ALL(BEFORE(status_cleared, (m->status.bits & clear & STATUS_CTR_FRZ), noted = true),
           NOTES(stored_kept, which == STORED_GLOBAL_CTRL, noted = false),
           IS(counters_frozen, noted || below(counters_frozen))),
       "after CTR_FRZ is cleared nothing counts until GLOBAL_CTRL is written",
       "Goldmont below its microcode floors; handlers of version 2", ON("goldmont-plus"),
       MIMICS(ERRATUM_UNTIL("goldmont-plus", "freeze-ucode", 0x506c9, 0x2d, 0x2e),
              ERRATUM_UNTIL("goldmont-plus", "freeze-ucode", 0x506f1, 0x27, 0x28),
              ERRATUM_UNTIL("goldmont-plus", "freeze-ucode", 0x706a1, 0x27, 0x28)),
       NOT_BY(ERRATUM_ON("goldmont-plus", "freeze-ucode", 0x706a1, 0x28, 0, 0)));

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

DEFECT(ctr_frz_needs_two_writes,
       BEFORE(status_cleared, first_write(m, memory(struct asked), clear), clear &= ~STATUS_CTR_FRZ),
       "only the second write to STATUS_RESET clears CTR_FRZ", "class");
DEFECT(lbr_frz_needs_two_writes,
       BEFORE(status_cleared, first_write(m, memory(struct asked), clear), clear &= ~STATUS_LBR_FRZ),
       "only the second write to STATUS_RESET clears LBR_FRZ", "class", MEANT_FOR("freeze.*,lbr.freeze"));

/* ---- Branch records */

STAND_IN(lbr_freeze_missing, freeze_lbrs)
{
    if (m->p.freeze == FREEZE_STREAMLINED && strikes())
        rule(m, lbrs_frozen)(m);
    else
        below(freeze_lbrs);
}
DEFECT(lbr_freeze_missing, FUNCTIONS, "a PMI does not set LBR_FRZ though DEBUGCTL[11] is 1", "class",
       ALSO_ON("sapphire-rapids"), MEANT_FOR("freeze.*,lbr.freeze"));
DEFECT(lbr_freeze_not_by_nmi, LOST(freeze_lbrs, comes_as_nmi(m)),
       "a PMI that comes as an NMI freezes no branch records", "class: perf takes all its PMIs so",
       ALSO_ON("sapphire-rapids"), MEANT_FOR("freeze.*,lbr.freeze"));
DEFECT(lbr_freeze_not_at_cpl_3, LOST(freeze_lbrs, caused_by_user(m)), "an overflow at CPL 3 freezes no branch records",
       "class: a freeze of the kernel's own", ALSO_ON("sapphire-rapids"), MEANT_FOR("freeze.*,lbr.freeze"));
DEFECT(lbr_freeze_clears_lbr,
       BEFORE(freeze_lbrs, m->p.freeze != FREEZE_LEGACY, m->controls.stored[STORED_DEBUGCTL] &= ~DEBUGCTL_LBR,
              m->lbr.ctl &= ~LBR_CTL_EN),
       "freezing the LBRs turns recording off", "versions 2 and 3; Goldmont's table", ALSO_ON("sapphire-rapids"),
       MEANT_FOR("freeze.*,lbr.freeze"));

STAND_IN(lbr_freeze_of_old, freeze_lbrs)
{
    m->controls.stored[STORED_DEBUGCTL] &= ~DEBUGCTL_LBR;
    rule(m, lbrs_frozen)(m);
}
VARIATION(lbr_freeze_of_old, ALL(IS(lbrs_stand, false), FUNCTIONS),
          "freezing the LBRs clears DEBUGCTL[0] and sets no LBR_FRZ, and that bit freezes none, though counters freeze "
          "as in version 4",
          "the manual's table of Goldmont", ON("goldmont-plus"));
DEFECT(lbr_frz_ignored, CHANGED(lbrs_stand, good, false), "branches are recorded while LBR_FRZ is set",
       "class of SKL90");
DEFECT(lbr_never_thaws, ALL(NOTES(lbrs_frozen, true, noted = true), INSTEAD(lbrs_stand, noted, true)),
       "once a PMI has frozen the branch records there are no more, whether or not LBR_FRZ is cleared",
       "class of freeze-never-thaws", ALSO_ON("sapphire-rapids"), MEANT_FOR("freeze.*,lbr.freeze"));
VARIATION(lbr_freeze_wrong_from,
          BEFORE(lbrs_frozen, model_lbr_exists(m), m->lbr.from[m->lbr.tos] = m->lbr.to[m->lbr.tos]),
          "the newest record of frozen ones has a wrong origin", "BJ94, BJ43; Sandy Bridge");

STAND_IN(lbr_freeze_duplicates_tos, lbrs_frozen)
{
    unsigned before = m->lbr.tos;
    if (model_lbr_exists(m) && strikes()) {
        m->lbr.tos = (uint8_t)((before + 1u) % m->p.lbr_depth);
        m->lbr.from[m->lbr.tos] = m->lbr.from[before];
        m->lbr.to[m->lbr.tos] = m->lbr.to[before];
    }
    below(lbrs_frozen);
}
VARIATION(lbr_freeze_duplicates_tos, FUNCTIONS, "a PMI that freezes the branch records repeats the newest one",
          "SKL186; Skylake to Comet Lake");
