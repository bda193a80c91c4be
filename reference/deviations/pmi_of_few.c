/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of overflows and PMIs of some counters only: those with a condition, fixed ones, and in x2APIC mode. */
#define CHAPTERS "pmi.*"
#include "reference/deviations/stand_in.h"

/* ---- Counters with a counter mask, without and with INV */

static uint64_t with_condition(const struct model *m, bool inverted)
{
    uint64_t counters = 0;
    for (unsigned n = 0; n < m->p.gp_count; n++) {
        uint64_t evtsel = m->controls.evtsel[n];
        if ((evtsel & MASK(31, 24)) && !(evtsel & EVTSEL_INV) == !inverted)
            counters |= BIT(n);
    }
    return counters;
}

#define MEANT MEANT_FOR("pmi.conditions")

DEFECT(overflow_unseen_with_cmask, CHANGED(overflows_seen, true, good & ~with_condition(m, false)),
       "a counter with a counter mask overflows without its bit of STATUS", "class: an event of another kind",
       ALSO_ON("haswell", "lunar-lake"), MEANT);
DEFECT(overflow_unseen_with_inv, CHANGED(overflows_seen, true, good & ~with_condition(m, true)),
       "a counter with a counter mask and INV overflows without its bit of STATUS", "class: an event of another kind",
       ALSO_ON("haswell", "lunar-lake"), MEANT);
DEFECT(pmi_not_with_cmask, CHANGED(overflows_asking, true, good & ~with_condition(m, false)),
       "a counter with a counter mask overflows without its PMI", "class: an event of another kind",
       ALSO_ON("haswell", "lunar-lake"), MEANT);
DEFECT(pmi_not_with_inv, CHANGED(overflows_asking, true, good & ~with_condition(m, true)),
       "a counter with a counter mask and INV overflows without its PMI", "class: an event of another kind",
       ALSO_ON("haswell", "lunar-lake"), MEANT);

/* ---- Fixed counters of cycles that count above CPL 0 alone */

static uint64_t fixed_of_usr(const struct model *m, unsigned i)
{
    uint64_t control = m->controls.stored[STORED_FIXED_CTR_CTRL];
    return control & FIXED_USR(i) && !(control & FIXED_OS(i)) ? BIT(32 + i) : 0;
}

DEFECT(pmi_not_by_fixed_1_of_usr, CHANGED(overflows_asking, true, good & ~fixed_of_usr(m, 1)),
       "fixed counter 1 raises no PMI while it counts above CPL 0 only", "class", ALSO_ON("haswell", "lunar-lake"),
       MEANT_FOR("pmi.cpl-3"));
DEFECT(pmi_not_by_fixed_2_of_usr, CHANGED(overflows_asking, true, good & ~fixed_of_usr(m, 2)),
       "fixed counter 2 raises no PMI while it counts above CPL 0 only", "class", ALSO_ON("haswell", "lunar-lake"),
       MEANT_FOR("pmi.cpl-3"));

/* ---- In x2APIC mode */

static void x2apic_mode(struct model *m)
{
    m->p.apic_x2 = m->p.apic_x2_available = true;
}
DEFECT(lvtpc_open_in_x2apic, INSTEAD(lvtpc_after_delivery, m->p.apic_x2, lvtpc),
       "in x2APIC mode a PMI leaves LVTPC unmasked", "class: two copies of one register", PREPARED(x2apic_mode),
       MEANT_FOR("pmi.mask-set"), ALSO_ON("lunar-lake"));
DEFECT(lvtpc_open_in_x2apic_by_nmi, INSTEAD(lvtpc_after_delivery, m->p.apic_x2 &&nmi, lvtpc),
       "in x2APIC mode a PMI as an NMI leaves LVTPC unmasked", "class: two copies of one register",
       PREPARED(x2apic_mode), MEANT_FOR("pmi.mask-set"), ALSO_ON("lunar-lake"));
DEFECT(lvtpc_open_in_x2apic_at_cpl_3, INSTEAD(lvtpc_after_delivery, m->p.apic_x2 &&caused_by_user(m), lvtpc),
       "in x2APIC mode a PMI of CPL 3 leaves LVTPC unmasked", "class: two copies of one register",
       PREPARED(x2apic_mode), MEANT_FOR("pmi.mask-set"), ALSO_ON("lunar-lake"));

/* The GP counters whose select had INT when IA32_PERF_GLOBAL_CTRL was written. */
static uint64_t with_int(const struct model *m)
{
    uint64_t counters = 0;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        counters |= m->controls.evtsel[n] & EVTSEL_INT ? GLOBAL_GP(n) : 0;
    return counters;
}

DEFECT(int_latched_by_enable,
       ALL(NOTES(stored_kept, which == STORED_GLOBAL_CTRL, noted = with_int(m)),
           CHANGED(overflows_asking, true, good &(noted | ~MASK(31, 0)))),
       "INT counts only if it was set when IA32_PERF_GLOBAL_CTRL was written", "class: a latch instead of a gate",
       ALSO_ON("haswell", "lunar-lake"), MEANT_FOR("pmi.int-while-running"));
DEFECT(pmi_ends_claims,
       ALL(NOTED(pmi_delivered, true, noted = 1), NOTES(evtsel_kept, true, noted = 0),
           CHANGED(gp_in_use, noted, false)),
       "after a PMI no GP counter is in use until an event select is written", "class: an owner that is forgotten",
       ALSO_ON("lunar-lake"), MEANT_FOR("share.pmi-handler"));
