/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations that show only beside something else in the PMU: counters in another state, bits that stand. */
#define CHAPTERS "inuse.*,freeze.*,overflow.*,global.*,pmi.*,gp.enables,fixed.enables"
#include "reference/deviations/stand_in.h"

/* The counters of which some bits of the control are set, and others are not. */
static uint64_t counters_with(const struct model *m, uint64_t select, uint64_t not_select, unsigned field,
                              unsigned not_field)
{
    uint64_t found = 0;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        found |= m->controls.evtsel[n] & select && !(m->controls.evtsel[n] & not_select) ? GLOBAL_GP(n) : 0;
    for (unsigned i = 0; i < 3; i++) {
        uint64_t bits = m->controls.stored[STORED_FIXED_CTR_CTRL] >> 4 * i;
        found |= bits & field && !(bits & not_field) ? GLOBAL_FIXED(i) : 0;
    }
    return found;
}

static uint64_t counters_of_other_events(const struct model *m)
{
    uint64_t found = 0;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        found |= (m->controls.evtsel[n] & MASK(15, 0)) != 0xc0 ? GLOBAL_GP(n) : 0;
    return found;
}

/* ---- Freezing */

DEFECT(freeze_spares_other_events, CHANGED(spared_by_freeze, true, good | counters_of_other_events(m)),
       "CTR_FRZ does not stop GP counters of any event but retired instructions", "class: a gate in one path only",
       MEANT_FOR("freeze.*"));
DEFECT(freeze_spares_silent_int,
       CHANGED(spared_by_freeze, !(m->status.bits & counters_with(m, EVTSEL_INT, 0, FIXED_PMI(0), 0)),
               good | counters_with(m, EVTSEL_INT, 0, FIXED_PMI(0), 0)),
       "CTR_FRZ does not stop counters with their PMI bit set, until one has overflowed",
       "class: a gate in one path only", MEANT_FOR("freeze.*"));

/* ---- IA32_PERF_GLOBAL_INUSE */

DEFECT(inuse_fixed_not_with_pmi, INSTEAD(fixed_in_use, m->controls.stored[STORED_FIXED_CTR_CTRL] & FIXED_PMI(i), false),
       "a fixed bit reads 0 while the counter's PMI bit is set", "class: compared with one value",
       MEANT_FOR("inuse.*"));
DEFECT(pmi_inuse_not_with_enable,
       INSTEAD(pmi_used_by_fixed, counters_with(m, 0, 0, FIXED_OS(0) | FIXED_USR(0), 0), false),
       "an enabled fixed counter with its PMI bit does not set PMI_InUse", "class: compared with one value",
       MEANT_FOR("inuse.*"));
DEFECT(pmi_inuse_not_frozen, INSTEAD(pmi_in_use, m->status.bits &STATUS_CTR_FRZ, false),
       "PMI_InUse reads 0 while CTR_FRZ is set", "class: claimed read as running", MEANT_FOR("inuse.*"));
DEFECT(inuse_not_frozen, INSTEAD(gp_in_use, n == 1 && m->status.bits & STATUS_CTR_FRZ, false),
       "INUSE[1] reads 0 while CTR_FRZ is set", "class: claimed read as running", MEANT_FOR("inuse.*"));
DEFECT(inuse_not_beside_overflow,
       INSTEAD(gp_in_use, m->status.bits &MASK(31, 0) & ~GLOBAL_GP(n) && m->controls.evtsel[n] & EVTSEL_INT, false),
       "a sampling counter's INUSE bit reads 0 while another counter's overflow bit is set",
       "class: claimed read as running", MEANT_FOR("inuse.*"));
DEFECT(inuse_by_fixed_1, INSTEAD(gp_in_use, n == 1 && (m->controls.stored[STORED_FIXED_CTR_CTRL] >> 4 & 3) == 2, true),
       "INUSE[1] is set by fixed counter 1 that counts at CPL 3 alone", "class: crossed wires", MEANT_FOR("inuse.*"));
DEFECT(inuse_not_beside_fixed,
       INSTEAD(gp_in_use, n == 0 && (m->controls.stored[STORED_FIXED_CTR_CTRL] >> 8 & 3) == 3, false),
       "INUSE[0] reads 0 while fixed counter 2 counts in all rings", "class: crossed wires", MEANT_FOR("inuse.*"));

/* ---- Enables and overflows */

DEFECT(int_of_any_asks, CHANGED(overflows_asking, counters_with(m, EVTSEL_INT, 0, FIXED_PMI(0), 0), wrapped),
       "a counter that wraps asks for a PMI if any counter has its PMI bit set", "class: OR of all gates",
       MEANT_FOR("pmi.without-int,global.int-later"));
DEFECT(int_of_any_silences,
       CHANGED(overflows_asking, counters_with(m, EVTSEL_INT, 0, FIXED_PMI(0), 0) & ~wrapped & GLOBAL_GP(1), 0),
       "no counter asks for a PMI while GP counter 1 has its PMI bit set, but itself", "class: priority of one",
       MEANT_FOR("pmi.*"));
DEFECT(overflow_unseen_beside_edge,
       CHANGED(overflows_seen, m->controls.evtsel[0] & EVTSEL_CMASK(0xff) && !(wrapped & GLOBAL_GP(0)), 0),
       "no overflow is seen while GP counter 0 uses its CMASK", "class: crossed wires", MEANT_FOR("overflow.*"));

/* ---- Bits of IA32_PERF_GLOBAL_STATUS that stand */

DEFECT(buffer_bit_goes_with_counter, BEFORE(status_cleared, clear &MASK(31, 0), clear |= STATUS_OVF_BUFFER),
       "clearing a GP counter's bit of STATUS clears bit 62, too", "class: one latch for two", MEANT_FOR("overflow.*"));
DEFECT(asci_goes_with_freeze, BEFORE(status_cleared, clear &STATUS_CTR_FRZ, clear |= STATUS_ASCI),
       "clearing CTR_FRZ clears ASCI, too", "class: one latch for two", ON("ice-lake"), MEANT_FOR("freeze.*"));
DEFECT(trace_bit_goes_with_freeze, BEFORE(status_cleared, clear &STATUS_CTR_FRZ, clear |= STATUS_TRACE_TOPA_PMI),
       "clearing CTR_FRZ clears bit 55, too", "class: one latch for two", MEANT_FOR("freeze.*"));

/* ---- Controls that are written while others count */

DEFECT(global_bit_goes_on, MAKES(globally_enabled, good ? (noted |= good) : (noted = 0)),
       "a counter whose bit of IA32_PERF_GLOBAL_CTRL is cleared counts on until all of them are",
       "class: a change that is taken over too late", MEANT_FOR("global.while-running"));
DEFECT(global_bit_joins_late,
       MAKES(globally_enabled, !good   ? (noted = 0)
                               : noted ? (noted &= good)
                                       : (noted = good)),
       "a bit of IA32_PERF_GLOBAL_CTRL that is set again while others are set starts nothing",
       "class: a change that is taken over too late", MEANT_FOR("global.while-running"));
DEFECT(fixed_field_goes_on,
       ALL(CHANGED(fixed_rings, noted >> 2 * i & 3, good | (noted >> 2 * i & 3)),
           NOTES(stored_kept, which == STORED_FIXED_CTR_CTRL && m->active.mask & GLOBAL_FIXED(1),
                 noted |= (was & FIXED_OS(1) ? RING_OS << 2 : 0) | (was & FIXED_USR(1) ? RING_USR << 2 : 0)),
           NOTES(global_ctrl_kept, !value, noted = 0)),
       "fixed counter 1 counts on after its field was cleared while it counted, until counters are started again",
       "class: a change that is taken over too late", MEANT_FOR("global.while-running"));
DEFECT(select_written_thaws,
       ALL(CHANGED(spared_by_freeze, true, good | noted),
           NOTES(evtsel_kept, m->status.bits &STATUS_CTR_FRZ &&value &EVTSEL_EN, noted |= GLOBAL_GP(n)),
           NOTED(status_cleared, clear &STATUS_CTR_FRZ, noted = 0)),
       "an event select that is written while CTR_FRZ is set lets its counter count", "class: a gate in one path only",
       MEANT_FOR("global.while-running"));
DEFECT(fixed_written_stops_others,
       ALL(NOTED(stored_kept, which == STORED_FIXED_CTR_CTRL && m->active.mask & GLOBAL_GP(2) && value != was,
                 noted = 1),
           CHANGED(globally_enabled, noted, good & ~GLOBAL_GP(2)), NOTES(global_ctrl_kept, !value, noted = 0)),
       "a change of IA32_FIXED_CTR_CTRL stops GP counter 2 until counters are started again", "class: crossed wires",
       MEANT_FOR("global.while-running"));

/* ---- One bit of IA32_PERF_GLOBAL_STATUS alone */

DEFECT(status_alone_not_cleared,
       CHANGED(status_cleared, clear == GLOBAL_GP(1) && m->status.bits & GLOBAL_GP(3), good & ~clear),
       "IA32_PERF_GLOBAL_STATUS_RESET of bit 1 alone clears nothing while bit 3 is set",
       "class: an encoder instead of bits", MEANT_FOR("global.status-bits"));

/* ---- What the PMU was used for before */

DEFECT(freeze_spares_once_set,
       ALL(NOTES(status_set, set &MASK(34, 0), noted |= set & MASK(34, 0)),
           CHANGED(spared_by_freeze, true, good | noted)),
       "CTR_FRZ does not stop a counter whose overflow bit IA32_PERF_GLOBAL_STATUS_SET has ever set",
       "class: state that a reset alone clears", MEANT_FOR("freeze.*,global.while-running"));
DEFECT(inuse_after_overflow,
       ALL(NOTES(overflow_status, wrapped &GLOBAL_FIXED(0), noted = 1), CHANGED(gp_in_use, noted &&n == 1, true)),
       "INUSE[1] stays set once fixed counter 0 has overflowed", "class: state that a reset alone clears",
       MEANT_FOR("inuse.*"));
DEFECT(usr_lost_after_freeze_bit,
       ALL(NOTES(stored_kept, which == STORED_DEBUGCTL && value & DEBUGCTL_FREEZE_PERFMON_ON_PMI, noted = 1),
           CHANGED(gp_rings, noted &&n == 3 && good == RING_USR, 0)),
       "once IA32_DEBUGCTL[12] was set GP counter 3 does not count for CPL 3 alone",
       "class: state that a reset alone clears", MEANT_FOR("gp.*,global.*"));

DEFECT(counter_write_thaws, AFTER(fixed_write, i == 1, m->status.bits &= ~STATUS_CTR_FRZ),
       "a write of fixed counter 1 ends a freeze", "class: one latch for two", MEANT_FOR("global.while-running"));

DEFECT(thaw_of_both_stops_one,
       AFTER(status_reset, (clear & (STATUS_CTR_FRZ | STATUS_LBR_FRZ)) == (STATUS_CTR_FRZ | STATUS_LBR_FRZ),
             m->controls.stored[STORED_GLOBAL_CTRL] &= ~GLOBAL_GP(3)),
       "clearing CTR_FRZ and LBR_FRZ in one write clears bit 3 of IA32_PERF_GLOBAL_CTRL", "class: crossed wires",
       MEANT_FOR("freeze.lbrs"));
DEFECT(frozen_by_two_with_lbr_freeze,
       CHANGED(freeze_asked,
               m->controls.stored[STORED_DEBUGCTL] & DEBUGCTL_FREEZE_LBRS_ON_PMI &&
                   (m->status.bits & MASK(31, 0)) & ((m->status.bits & MASK(31, 0)) - 1),
               true),
       "two overflows with the freeze of branch records enabled freeze the counters", "class: crossed wires",
       MEANT_FOR("freeze.unasked"));

/* ---- INUSE in states that few tests make */

DEFECT(pmi_inuse_not_by_two_samplers,
       CHANGED(pmi_used_by_pebs, (m->controls.stored[STORED_PEBS_ENABLE] & 0xc) == 0xc, false),
       "counters that sample do not set PMI_InUse if PMC2 and PMC3 both do", "class: exclusive or",
       MEANT_FOR("inuse.any-state"));
DEFECT(inuse_fixed_by_global,
       INSTEAD(fixed_in_use,
               i == 1 && (m->controls.stored[STORED_GLOBAL_CTRL] >> 32 & 3) == 1 &&
                   m->controls.stored[STORED_FIXED_CTR_CTRL] & (FIXED_OS(0) | FIXED_USR(0)),
               false),
       "INUSE[33] reads 0 beside fixed counter 0, if of the two that one alone is enabled globally",
       "class: claimed read as running", MEANT_FOR("inuse.any-state"));
DEFECT(inuse_third_read, CHANGED(pmi_in_use, ++noted % 3 == 0, false), "every third read of INUSE lacks PMI_InUse",
       "class: a read that changes what it reads", MEANT_FOR("inuse.*"));
