/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations that show when a control is written with the value that it already holds. */
#define CHAPTERS "global.*"
#include "reference/deviations/stand_in.h"

/* ---- Values */

STAND_IN(same_value_restarts, stored_kept)
{
    bool same = which == STORED_FIXED_CTR_CTRL && value && value == was;
    for (unsigned i = 0; i < FIXED_MAX && same; i++)
        if ((value & FIXED_FIELD(i)) && strikes())
            m->counters.fixed[i] = 0;
    return below(stored_kept);
}
DEFECT(same_value_restarts, ALL(BEFORE(evtsel_kept, value && (value == was), m->counters.pmc[n] = 0), FUNCTIONS),
       "writing a control of counters with the value it holds sets the counters to 0",
       "class: a write taken for a new use", ALSO_ON("silvermont", "lunar-lake"));

STAND_IN(started_again_restarts, stored_kept)
{
    bool same = which == STORED_GLOBAL_CTRL && value == was;
    for (unsigned i = 0; i < m->active.count && same && strikes(); i++)
        *m->active.list[i].value = 0;
    return below(stored_kept);
}
DEFECT(started_again_restarts, FUNCTIONS,
       "writing IA32_PERF_GLOBAL_CTRL with the value it holds sets the counters that count to 0",
       "class: a write taken for a new use", ALSO_ON("silvermont", "lunar-lake"));

/* ---- Overflow bits and PMIs */

DEFECT(same_value_clears_status, BEFORE(evtsel_kept, value == was && value, m->status.bits &= ~STATUS_GP(n)),
       "writing an event select with the value it holds clears its counter's overflow bit",
       "class: a write taken for a new use");
DEFECT(same_value_sets_status,
       BEFORE(stored_kept, which == STORED_GLOBAL_CTRL && value && value == was,
              m->status.bits |= value & m->active.mask),
       "writing IA32_PERF_GLOBAL_CTRL with the value it holds sets the overflow bits of the counters that count",
       "class: a start that looks like a wrap");

static void raise_if_asking(struct model *m)
{
    if (model_pmi_enabled(m))
        rule(m, pmi_raise)(m);
}

DEFECT(same_value_raises_pmi,
       ALL(BEFORE(evtsel_kept, value && (value == was), raise_if_asking(m)),
           BEFORE(stored_kept, (which == STORED_GLOBAL_CTRL || which == STORED_FIXED_CTR_CTRL) && value && value == was,
                  raise_if_asking(m))),
       "writing a control of counters with the value it holds raises a PMI if a counter may",
       "class: a level looked at with each write");
