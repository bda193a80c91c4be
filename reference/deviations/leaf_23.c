/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of CPUID leaf 23H. All of them change data only. */
#define CHAPTERS "enum.*"
#include "reference/deviations/stand_in.h"

enum { EAX, EBX, ECX };
enum { SUBLEAVES = 0, COUNTERS = 1, RELOAD = 2, EVENTS = 3, GROUPS = 4, SAMPLING = 5 };

/* The registers of a sub-leaf, which is added with zeros if the profile lacks it. NULL: no room, or no leaf 23H. */
static uint32_t *subleaf(struct profile *p, uint32_t number)
{
    for (unsigned i = 0; i < LEAVES_MAX; i++) {
        struct profile_leaf *row = &p->leaves[i];
        if (!row->leaf && has_leaf_23(p))
            *row = (struct profile_leaf){.leaf = 0x23, .subleaf = number};
        if (!row->leaf || (row->leaf == 0x23 && row->subleaf == number))
            return row->leaf ? row->value : NULL;
    }
    return NULL;
}

static void hide(struct model *m, uint32_t number, unsigned reg, uint32_t bits)
{
    uint32_t *value = subleaf(&m->p, number);
    if (value)
        value[reg] &= ~bits;
}

DEFECT(leaf_23_empty, DATA(hide(m, SUBLEAVES, EAX, (uint32_t)BIT(COUNTERS))),
       "leaf 23H says that it has no sub-leaf of counters (data)", "hypervisors that filter the leaf",
       ON("lunar-lake"));
DEFECT(leaf_23_gp_missing, DATA(hide(m, COUNTERS, EAX, (uint32_t)BIT(0))),
       "leaf 23H names one GP counter less than leaf 0AH (data)", "class: two tables of fuses", ON("lunar-lake"));
DEFECT(leaf_23_fixed_missing, DATA(hide(m, COUNTERS, EBX, (uint32_t)BIT(2))),
       "leaf 23H does not name fixed counter 2, leaf 0AH does (data)", "class: two tables of fuses", ON("lunar-lake"));
DEFECT(leaf_23_event_missing, DATA(hide(m, EVENTS, EAX, (uint32_t)BIT(5))),
       "leaf 23H does not name event 5, leaf 0AH does (data)", "class: the two masks have opposite senses",
       ON("lunar-lake"));

/* ---- A counter that only leaf 23H enumerates does not exist. */

DEFECT(leaf_23_gp_silent, DATA(struct profile *p = &m->p; p->gp_count = (uint8_t)FIELD_GET(p->leaf0a[0], 15, 8)),
       "leaf 23H names GP counters whose registers fault (data)",
       "class: a part with a counter fused off, leaf not updated", ON("lunar-lake"));
DEFECT(leaf_23_fixed_silent, DATA(m->p.fixed_bitmap &= (uint8_t)m->p.leaf0a[2]),
       "leaf 23H names fixed counters whose registers fault (data)", "class: masks of another core type",
       ON("lunar-lake"));

/* In a sub-leaf's mask, sets the bit of a counter that sub-leaf 1 lacks. */
static void name_absent(struct profile *p, uint32_t number)
{
    uint32_t *valid = subleaf(p, SUBLEAVES), *have = subleaf(p, COUNTERS), *mask = subleaf(p, number);
    if (!valid || !have || !mask)
        return;
    valid[EAX] |= (uint32_t)BIT(number);
    mask[EAX] |= have[EAX] + 1;
    mask[EBX] |= (uint32_t)BIT(FIXED_MAX);
}

DEFECT(leaf_23_reload_absent, DATA(name_absent(&m->p, RELOAD)),
       "leaf 23H lists a counter as reloadable that it does not name (data)", "class: masks of another core type",
       ON("lunar-lake"));
DEFECT(leaf_23_sampling_absent, DATA(name_absent(&m->p, SAMPLING)),
       "leaf 23H lists a counter as sampling that it does not name (data)", "class: masks of another core type",
       ON("lunar-lake"));
DEFECT(leaf_23_umask2_absent, DATA(m->p.evtsel.dropped |= EVTSEL_UMASK2(0xff)),
       "CPUID.23H.0 EBX[0] is 1, and event selects drop the second unit mask (data)",
       "class of arch-event-claimed-absent", ON("lunar-lake"), MEANT_FOR("access.*"));

/* ---- Sub-leaves that contradict each other */

DEFECT(leaf_23_itself_unnamed, DATA(hide(m, SUBLEAVES, EAX, (uint32_t)BIT(SUBLEAVES))),
       "leaf 23H does not name its own sub-leaf 0 (data)", "class: a map that begins with what comes next",
       ON("lunar-lake"));
DEFECT(leaf_23_unnamed_answers, DATA(hide(m, SUBLEAVES, EAX, (uint32_t)BIT(EVENTS))),
       "a sub-leaf that leaf 23H does not name answers (data)", "hypervisors that filter the map only",
       ON("lunar-lake"));

static void groups_unnamed(struct model *m)
{
    uint32_t *groups = subleaf(&m->p, GROUPS);
    hide(m, SUBLEAVES, EAX, (uint32_t)BIT(GROUPS));
    if (groups)
        groups[EBX] = 0;
}
DEFECT(leaf_23_half_of_sampling, NO_RULE,
       "leaf 23H names counters that sample, but not the groups of their records (data)",
       "class: drivers look for this and warn", ON("panther-lake"), PREPARED(groups_unnamed));
DEFECT(leaf_23_precise_only, DATA(hide(m, SAMPLING, EAX, (uint32_t)BIT(0))),
       "leaf 23H names the precise distribution of a counter that does not sample (data)",
       "class: drivers look for this and warn", ON("panther-lake"));

static void nothing_samples(struct model *m)
{
    uint32_t *sampling = subleaf(&m->p, SAMPLING);
    for (unsigned i = 0; sampling && i < 4; i++)
        sampling[i] = 0;
}
DEFECT(leaf_23_nothing_samples, NO_RULE, "leaf 23H has its sub-leaf of counters that sample, which names none (data)",
       "hypervisors that filter the leaf", ON("panther-lake"), PREPARED(nothing_samples));

static void no_slots(struct model *m)
{
    uint32_t *top = subleaf(&m->p, SUBLEAVES), *have = subleaf(&m->p, COUNTERS);
    if (!top || !have)
        return;
    top[ECX] = 0;
    have[EBX] &= ~(uint32_t)BIT(3);
}
DEFECT(leaf_23_no_slots, NO_RULE,
       "leaf 23H names events of topdown, but neither slots per cycle nor their counter (data)",
       "class: masks of another core type", ON("lunar-lake"), PREPARED(no_slots));
