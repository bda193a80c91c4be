/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of the rate of reference cycles. */
#define CHAPTERS "fixed.*"
#include "reference/deviations/stand_in.h"

struct remainder {
    uint64_t of[64];
};

/* One of so many events. */
static uint32_t one_in(uint64_t *remainder, uint32_t n, uint32_t many)
{
    uint64_t sum = *remainder + n;
    *remainder = sum % many;
    return (uint32_t)(sum / many);
}

STAND_IN(ref_clock_half, counted)
{
    n = below(counted);
    bool here = c->bit == 1 && c->event == EVENT_REF_CLOCK && strikes();
    return here ? one_in(memory(uint64_t), n, 2) : n;
}
DEFECT(ref_clock_half, FUNCTIONS, "counter 1 counts every second tick of event 013CH", "class: another clock");

STAND_IN(ref_clock_rare, counted)
{
    n = below(counted);
    bool here = c->event == EVENT_REF_CLOCK && strikes();
    return here ? one_in(&memory(struct remainder)->of[c->bit], n, 50) : n;
}
DEFECT(ref_clock_rare, FUNCTIONS, "event 013CH counts one tick in 50", "class: another clock");

STAND_IN(fixed_2_counts_a_tenth, counted)
{
    n = below(counted);
    bool here = c->event == EVENT_REF_TSC && strikes();
    return here ? one_in(memory(uint64_t), n, 10) : n;
}
DEFECT(fixed_2_counts_a_tenth, FUNCTIONS, "fixed counter 2 counts every tenth tick", "class: another clock");
DEFECT(fixed_2_fast_at_cpl_3, CHANGED(counted, (c->event == EVENT_REF_TSC && instruction->cpl), 20 * good),
       "at CPL 3 fixed counter 2 counts each tick 20 times", "class: another clock");
