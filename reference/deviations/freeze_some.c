/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of freezing and thawing that concern only counters of some event, or for one ring. */
#define CHAPTERS "freeze.*"
#include "reference/deviations/stand_in.h"

#define ALL_RINGS (EVTSEL_OS | EVTSEL_USR)

/* The GP counters whose event selects, of the bits in `mask`, hold `value`. */
static uint64_t gp_with(const struct model *m, uint64_t mask, uint64_t value)
{
    uint64_t found = 0;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        found |= (m->controls.evtsel[n] & mask) == value ? GLOBAL_GP(n) : 0;
    return found;
}

static uint64_t fixed_for_usr(const struct model *m)
{
    uint64_t found = 0, control = m->controls.stored[STORED_FIXED_CTR_CTRL];
    for (unsigned i = 0; i < FIXED_MAX; i++)
        found |= (control & (FIXED_OS(i) | FIXED_USR(i))) == FIXED_USR(i) ? GLOBAL_FIXED(i) : 0;
    return found;
}

DEFECT(freeze_spares_cycles, CHANGED(spared_by_freeze, true, good | gp_with(m, MASK(15, 0), ARCH_EVENT_CORE_CYCLES)),
       "GP counters of core cycles run on while CTR_FRZ is set", "class: a gate at retirement alone");
DEFECT(freeze_spares_branches, CHANGED(spared_by_freeze, true, good | gp_with(m, MASK(15, 0), ARCH_EVENT_BRANCHES)),
       "GP counters of branches run on while CTR_FRZ is set", "class: a gate in one of several paths");
DEFECT(freeze_spares_usr_alone,
       CHANGED(spared_by_freeze, true, good | gp_with(m, ALL_RINGS, EVTSEL_USR) | fixed_for_usr(m)),
       "counters for CPL 3 alone run on while CTR_FRZ is set", "class: a freeze of the kernel's own");
DEFECT(freeze_spares_all_rings, CHANGED(spared_by_freeze, true, good | gp_with(m, ALL_RINGS, ALL_RINGS)),
       "GP counters for all rings run on while CTR_FRZ is set", "class: a ring compared, not masked");

/* Which counters wrapped and ask for this PMI, while it is raised. */
STAND_IN(freeze_not_by_cycles, overflow_interrupts)
{
    *memory(uint64_t) = asking;
    below(overflow_interrupts);
    *memory(uint64_t) = 0;
}

STAND_IN(freeze_not_by_cycles, freeze_counters)
{
    uint64_t cycles = gp_with(m, MASK(15, 0), ARCH_EVENT_CORE_CYCLES), asking = *memory(uint64_t);
    if (asking && !(asking & ~cycles) && strikes())
        return;
    below(freeze_counters);
}
DEFECT(freeze_not_by_cycles, FUNCTIONS, "the PMI of a GP counter of core cycles freezes nothing",
       "class: a gate at retirement alone");

/* The fixed counters of cycles, from the thaw until GLOBAL_CTRL is written. */
STAND_IN(cycles_not_thawed, status_cleared)
{
    if ((m->status.bits & clear & STATUS_CTR_FRZ) && strikes())
        *memory(uint64_t) = GLOBAL_FIXED(1) | GLOBAL_FIXED(2);
    return below(status_cleared);
}

STAND_IN(cycles_not_thawed, stored_kept)
{
    if (which == STORED_GLOBAL_CTRL)
        *memory(uint64_t) = 0;
    return below(stored_kept);
}

STAND_IN(cycles_not_thawed, globally_enabled)
{
    return below(globally_enabled) & ~*memory(uint64_t);
}
DEFECT(cycles_not_thawed, FUNCTIONS,
       "after CTR_FRZ is cleared the fixed counters of cycles count nothing until GLOBAL_CTRL is written",
       "class: handlers of version 2");

DEFECT(freeze_not_beside_smm_freeze,
       CHANGED(freeze_asked, m->controls.stored[STORED_DEBUGCTL] & DEBUGCTL_FREEZE_WHILE_SMM, false),
       "with DEBUGCTL[14] set a PMI freezes nothing", "class: a choice of one where there are two",
       MEANT_FOR("freeze.*"));

/* ---- Counters and branch records together */

DEFECT(freeze_lbrs_alone, LOST(freeze_counters, (m->controls.stored[STORED_DEBUGCTL] & DEBUGCTL_FREEZE_LBRS_ON_PMI)),
       "if DEBUGCTL[11] is set as well, a PMI freezes the branch records, and no counters",
       "class: a choice of one where there are two");
