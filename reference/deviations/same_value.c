/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations that show when a control is written with the value that it already holds. */
#define CHAPTERS "global.*"
#include "reference/deviations/stand_in.h"

/* ---- Values */

static uint64_t select_restarts(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    if (value && value == was && strikes(m, SAME_VALUE_RESTARTS))
        m->counters.pmc[n] = 0;
    return replaced(m, SAME_VALUE_RESTARTS, evtsel_kept)(m, n, was, value);
}

static uint64_t control_restarts(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    bool same = which == STORED_FIXED_CTR_CTRL && value && value == was;
    for (unsigned i = 0; i < FIXED_MAX && same; i++)
        if ((value & FIXED_FIELD(i)) && strikes(m, SAME_VALUE_RESTARTS))
            m->counters.fixed[i] = 0;
    return replaced(m, SAME_VALUE_RESTARTS, stored_kept)(m, which, was, value);
}
DEFECT(SAME_VALUE_RESTARTS, "same-value-restarts",
       "writing a control of counters with the value it holds sets the counters to 0",
       "class: a write taken for a new use", ALSO_ON("silvermont", "lunar-lake"),
       STANDS_IN(FOR(evtsel_kept, select_restarts), FOR(stored_kept, control_restarts)));

static uint64_t all_restart(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    bool same = which == STORED_GLOBAL_CTRL && value == was;
    for (unsigned i = 0; i < m->active.count && same && strikes(m, STARTED_AGAIN_RESTARTS); i++)
        *m->active.list[i].value = 0;
    return replaced(m, STARTED_AGAIN_RESTARTS, stored_kept)(m, which, was, value);
}
DEFECT(STARTED_AGAIN_RESTARTS, "started-again-restarts",
       "writing IA32_PERF_GLOBAL_CTRL with the value it holds sets the counters that count to 0",
       "class: a write taken for a new use", ALSO_ON("silvermont", "lunar-lake"),
       STANDS_IN(FOR(stored_kept, all_restart)));

/* ---- Overflow bits and PMIs */

static uint64_t select_clears_status(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    if (value && value == was && strikes(m, SAME_VALUE_CLEARS_STATUS))
        m->status.bits &= ~STATUS_GP(n);
    return replaced(m, SAME_VALUE_CLEARS_STATUS, evtsel_kept)(m, n, was, value);
}
DEFECT(SAME_VALUE_CLEARS_STATUS, "same-value-clears-status",
       "writing an event select with the value it holds clears its counter's overflow bit",
       "class: a write taken for a new use", STANDS_IN(FOR(evtsel_kept, select_clears_status)));

static uint64_t global_sets_status(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    if (which == STORED_GLOBAL_CTRL && value && value == was && strikes(m, SAME_VALUE_SETS_STATUS))
        m->status.bits |= value & m->active.mask;
    return replaced(m, SAME_VALUE_SETS_STATUS, stored_kept)(m, which, was, value);
}
DEFECT(SAME_VALUE_SETS_STATUS, "same-value-sets-status",
       "writing IA32_PERF_GLOBAL_CTRL with the value it holds sets the overflow bits of the counters that count",
       "class: a start that looks like a wrap", STANDS_IN(FOR(stored_kept, global_sets_status)));

static void raise_if_asking(struct model *m)
{
    if (model_pmi_enabled(m))
        rule(m, pmi_raise)(m);
}

static uint64_t select_raises(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    if (value && value == was && strikes(m, SAME_VALUE_RAISES_PMI))
        raise_if_asking(m);
    return replaced(m, SAME_VALUE_RAISES_PMI, evtsel_kept)(m, n, was, value);
}

static uint64_t control_raises(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    bool of_all = which == STORED_GLOBAL_CTRL || which == STORED_FIXED_CTR_CTRL;
    if (of_all && value && value == was && strikes(m, SAME_VALUE_RAISES_PMI))
        raise_if_asking(m);
    return replaced(m, SAME_VALUE_RAISES_PMI, stored_kept)(m, which, was, value);
}
DEFECT(SAME_VALUE_RAISES_PMI, "same-value-raises-pmi",
       "writing a control of counters with the value it holds raises a PMI if a counter may",
       "class: a level looked at with each write",
       STANDS_IN(FOR(evtsel_kept, select_raises), FOR(stored_kept, control_raises)));
