/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of the rings in which one event, one field or one neighbour counts. */
#define CHAPTERS "global.*"
#include "reference/deviations/stand_in.h"

#define ALL_RINGS (RING_OS | RING_USR)

static uint64_t fixed_control(const struct model *m)
{
    return m->controls.stored[STORED_FIXED_CTR_CTRL];
}

/* ---- Rings */

DEFECT(fixed_cycles_all_is_usr, CHANGED(ring_counts, (c->bit > 32 && c->rings == ALL_RINGS && ring == RING_OS), false),
       "fixed counters of cycles that are enabled for all rings stand still at CPL 0",
       "class: a ring compared, not masked");
DEFECT(usr_not_at_cpl_1, CHANGED(counted, instruction->cpl == 1 && c->rings == RING_USR, 0),
       "what USR alone selects is not counted at CPL 1", "class: a level compared, not its being above 0");
DEFECT(ref_clock_not_at_cpl_1, CHANGED(counted, instruction->cpl == 1 && c->bit == 34, 0),
       "fixed counter 2 stands still at CPL 1", "class: a level compared, not its being above 0");
DEFECT(ref_clock_needs_company,
       CHANGED(ring_counts, c->bit == 34 && c->rings == ALL_RINGS && ring == RING_OS && !(fixed_control(m) >> 4 & 3),
               false),
       "fixed counter 2, on for all rings, does not count at CPL 0 unless fixed counter 1 is on, too",
       "class: crossed wires");
DEFECT(cycles_not_at_cpl_2, CHANGED(counted, instruction->cpl == 2 && c->event == EVENT_CORE_CYCLES, 0),
       "core cycles are not counted at CPL 2", "class: a level compared, not its being above 0");
DEFECT(cpl_2_is_os,
       ALL(CHANGED(ring_counts, ring == RING_USR && c->rings == RING_OS, true),
           CHANGED(counted, instruction->cpl && c->rings == RING_OS, instruction->cpl == 2 ? n : 0)),
       "what OS alone selects is counted at CPL 2, too", "class: a level compared, not its being above 0");
DEFECT(cycles_os_count_usr,
       CHANGED(ring_counts, (c->event == EVENT_CORE_CYCLES && c->rings == RING_OS && ring == RING_USR), true),
       "core cycles for CPL 0 are counted at CPL 3 as well", "class: a filter of retirement alone");
DEFECT(cycles_usr_count_os, CHANGED(ring_counts, (c->event == EVENT_CORE_CYCLES && c->bit < 32 && !good), true),
       "GP counters of core cycles count in all rings", "class: a filter of retirement alone");
DEFECT(ref_clock_ring_ignored, CHANGED(ring_counts, c->event == EVENT_REF_CLOCK && !good, true),
       "event 013CH counts in all rings", "class: a filter of retirement alone");
DEFECT(slots_os_count_usr, CHANGED(ring_counts, (c->event == EVENT_SLOTS && c->rings == RING_OS && !good), true),
       "slots for CPL 0 are counted at CPL 3 as well", "class: a filter of retirement alone", ON("ice-lake"));
DEFECT(branches_with_int_in_all_rings,
       CHANGED(gp_rings, good && (evtsel & EVTSEL_INT) && (evtsel & 0xff) == ARCH_EVENT_BRANCHES, ALL_RINGS),
       "with its PMI enabled a counter of branches counts in all rings", "class: two fields decoded as one");
DEFECT(fixed_pmi_bit_enables, CHANGED(fixed_rings, !good && (fixed_control(m) & FIXED_PMI(i)), ALL_RINGS),
       "a fixed counter whose PMI bit alone is set counts", "class: a field compared with 0");
DEFECT(fixed_any_bit_enables, CHANGED(fixed_rings, !good && (fixed_control(m) & FIXED_ANY(i)), ALL_RINGS),
       "a fixed counter whose AnyThread bit alone is set counts", "class: a field compared with 0");
DEFECT(fixed_usr_with_pmi_dead, CHANGED(fixed_rings, (i && good == RING_USR && (fixed_control(m) & FIXED_PMI(i))), 0),
       "a fixed counter of cycles for CPL 3 whose PMI is enabled counts nothing", "class: a value left out of a table");
DEFECT(neighbour_enables, CHANGED(globally_enabled, (good & BIT(parameter())) != 0, good | BIT(parameter()) << 1),
       "a counter's bit of GLOBAL_CTRL enables its neighbour as well", "class: two wires touch",
       PARAMETER("bit", 0, 62, 33));

/* ---- At CPL 3 */

/* One of so many events. */
static uint32_t one_in(uint64_t *remainder, uint32_t n, uint32_t many)
{
    uint64_t sum = *remainder + n;
    *remainder = sum % many;
    return (uint32_t)(sum / many);
}

static bool is_clock(const struct counting *c)
{
    return c->event == EVENT_CORE_CYCLES || c->event == EVENT_SLOTS;
}

STAND_IN(cycles_half_at_cpl_3, counted)
{
    n = below(counted);
    bool here = c->bit == 33 && instruction->cpl && strikes();
    return here ? one_in(memory(uint64_t), n, 2) : n;
}
DEFECT(cycles_half_at_cpl_3, FUNCTIONS, "at CPL 3 fixed counter 1 counts every second cycle", "class: another clock");
DEFECT(cycles_dead_at_cpl_3, INSTEAD(counted, (is_clock(c) && instruction->cpl), 0),
       "at CPL 3 neither cycles nor slots are counted", "class of BDM126");
