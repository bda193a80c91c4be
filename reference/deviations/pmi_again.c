/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations in which an unmask brings a PMI: one that was raised while masked, or an additional one without cause. */
#define CHAPTERS "pmi.*,freeze.*,overflow.*,pebs.*,share.*"
#include "reference/deviations/stand_in.h"

/* ---- Held until the unmask; most only while the STATUS bit is set. */

struct held {
    bool now;
};

/* STATUS bits that still ask for a PMI. */
static uint64_t still_asking(const struct model *m)
{
    return m->status.bits & model_pmi_enabled(m);
}

/* The same, but only counters whose value is 0. */
static uint64_t asking_at_zero(const struct model *m)
{
    uint64_t zero = 0;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        zero |= m->counters.pmc[n] ? 0 : STATUS_GP(n);
    for (unsigned i = 0; i < FIXED_MAX; i++)
        zero |= m->counters.fixed[i] ? 0 : STATUS_FIXED(i);
    return still_asking(m) & zero;
}

static void deliver_at_unmask(struct model *m, struct held *held, bool goes_on)
{
    held->now = held->now && goes_on;
    if (!held->now || model_lvtpc_masked(m))
        return;
    held->now = false;
    model_pmi_deliver(m);
}

STAND_IN(pmi_at_unmask, pmi_meets_mask)
{
    bool masked = below(pmi_meets_mask);
    if (masked)
        memory(struct held)->now = strikes();
    return masked;
}

STAND_IN(pmi_at_unmask, after_instruction)
{
    below(after_instruction);
    deliver_at_unmask(m, memory(struct held), still_asking(m));
}

PENDS(pmi_at_unmask, memory(struct held)->now);
VARIATION(pmi_at_unmask, FUNCTIONS, "a PMI raised while masked comes at unmask if STATUS is still set", "HSD91, BDM38");

STAND_IN(masked_pmi_kept, pmi_meets_mask)
{
    bool masked = below(pmi_meets_mask);
    if (masked)
        memory(struct held)->now = strikes();
    return masked;
}

STAND_IN(masked_pmi_kept, after_instruction)
{
    below(after_instruction);
    deliver_at_unmask(m, memory(struct held), true);
}

PENDS(masked_pmi_kept, memory(struct held)->now);
DEFECT(masked_pmi_kept, FUNCTIONS, "a PMI raised while masked is delivered at unmask, STATUS cleared or not",
       "class: latched LVT input");

/* ---- Repeated, until one is raised while masked. */

STAND_IN(pmi_repeats_until_status_clear, pmi_meets_mask)
{
    bool masked = below(pmi_meets_mask);
    if (masked)
        memory(struct held)->now = false;
    return masked;
}

STAND_IN(pmi_repeats_until_status_clear, pmi_send)
{
    memory(struct held)->now |= strikes();
    below(pmi_send);
}

STAND_IN(pmi_repeats_until_status_clear, after_instruction)
{
    below(after_instruction);
    deliver_at_unmask(m, memory(struct held), still_asking(m));
}

PENDS(pmi_repeats_until_status_clear, memory(struct held)->now);
VARIATION(pmi_repeats_until_status_clear, FUNCTIONS,
          "after a PMI, each unmask brings another while the STATUS bit stands", "HSD91, BDM38; Haswell, Broadwell",
          ALSO_ON("haswell"));

STAND_IN(zero_counter_retriggers, pmi_meets_mask)
{
    bool masked = below(pmi_meets_mask);
    if (masked)
        memory(struct held)->now = false;
    return masked;
}

STAND_IN(zero_counter_retriggers, pmi_send)
{
    memory(struct held)->now |= strikes();
    below(pmi_send);
}

STAND_IN(zero_counter_retriggers, after_instruction)
{
    below(after_instruction);
    deliver_at_unmask(m, memory(struct held), asking_at_zero(m));
}

PENDS(zero_counter_retriggers, memory(struct held)->now);
VARIATION(zero_counter_retriggers, FUNCTIONS,
          "after a PMI, each unmask brings another while the STATUS bit stands and the counter is 0",
          "seen by hypervisors, no erratum known", ALSO_ON("nehalem"));

/* ---- A second one without cause, if the unmask comes soon enough. */

struct echo {
    uint32_t left; /* instructions in which an unmask still brings it */
    bool under_way;
    uint64_t wrapped; /* counters that have wrapped */
};

static void deliver_echo(struct model *m, struct echo *echo)
{
    if (!echo->left)
        return;
    echo->left--;
    if (model_lvtpc_masked(m))
        return;
    echo->left = 0;
    echo->under_way = true;
    model_pmi_deliver(m);
    echo->under_way = false;
}

STAND_IN(pmi_empty_second, pmi_send)
{
    struct echo *echo = memory(struct echo);
    if (!echo->under_way && strikes())
        echo->left = (uint32_t)parameter();
    below(pmi_send);
}

STAND_IN(pmi_empty_second, after_instruction)
{
    below(after_instruction);
    deliver_echo(m, memory(struct echo));
}

PENDS(pmi_empty_second, memory(struct echo)->left);
VARIATION(pmi_empty_second, FUNCTIONS, "a second PMI follows when the handler unmasks within 400 instructions",
          "late-ack cores; AAJ119, BV43", ALSO_ON("haswell", "sapphire-rapids"),
          PARAMETER("instructions", 1, 100000, 400));

STAND_IN(two_pmis_fixed2, overflow_interrupts)
{
    memory(struct echo)->wrapped = wrapped;
    below(overflow_interrupts);
}

STAND_IN(two_pmis_fixed2, pmi_send)
{
    struct echo *echo = memory(struct echo);
    if (!echo->under_way && (echo->wrapped & STATUS_FIXED(2)) && strikes())
        echo->left = (uint32_t)parameter();
    below(pmi_send);
}

STAND_IN(two_pmis_fixed2, after_instruction)
{
    below(after_instruction);
    deliver_echo(m, memory(struct echo));
}

PENDS(two_pmis_fixed2, memory(struct echo)->left);
VARIATION(two_pmis_fixed2, FUNCTIONS, "fixed counter 2 brings a second, empty PMI at an unmask within 400 instructions",
          "AAJ119; Nehalem", PARAMETER("instructions", 1, 100000, 400));

STAND_IN(two_pmis_fixed0_freeze, overflow_interrupts)
{
    memory(struct echo)->wrapped = wrapped;
    below(overflow_interrupts);
}

STAND_IN(two_pmis_fixed0_freeze, pmi_send)
{
    struct echo *echo = memory(struct echo);
    bool concerned = (echo->wrapped & STATUS_FIXED(0)) && freezes(m) && m->p.threads > 1;
    if (!echo->under_way && concerned && strikes())
        echo->left = (uint32_t)parameter();
    below(pmi_send);
}

STAND_IN(two_pmis_fixed0_freeze, after_instruction)
{
    below(after_instruction);
    deliver_echo(m, memory(struct echo));
}

PENDS(two_pmis_fixed0_freeze, memory(struct echo)->left);
VARIATION(two_pmis_fixed0_freeze, FUNCTIONS,
          "with DEBUGCTL[12] and hyper-threading, fixed counter 0 brings a second, empty PMI likewise",
          "AAJ125, BV43; Nehalem, Ivy Bridge", PREPARED(deviation_with_threads),
          PARAMETER("instructions", 1, 100000, 400));

/* A counter that samples and also asks for a PMI of its own gets two: from its overflow, and from the threshold. */
STAND_IN(sampling_two_pmis, overflow_interrupts)
{
    memory(struct echo)->wrapped |= asking & m->pebs.sampling;
    below(overflow_interrupts);
}

STAND_IN(sampling_two_pmis, pmi_send)
{
    struct echo *echo = memory(struct echo);
    if (!echo->under_way && echo->wrapped && strikes())
        echo->left = (uint32_t)parameter();
    echo->wrapped = 0;
    below(pmi_send);
}

STAND_IN(sampling_two_pmis, after_instruction)
{
    below(after_instruction);
    deliver_echo(m, memory(struct echo));
}

PENDS(sampling_two_pmis, memory(struct echo)->left);
VARIATION(sampling_two_pmis, FUNCTIONS,
          "a counter that samples with its interrupt bit set brings a second, empty PMI at the next unmask",
          "drivers of guests; the manual forbids that bit there", PARAMETER("instructions", 1, 1000000, 20000));

/* ---- A second one much later, whether masked or not. */

STAND_IN(pmi_very_late, pmi_send)
{
    struct echo *echo = memory(struct echo);
    if (!echo->under_way && !echo->left && strikes())
        echo->left = (uint32_t)parameter();
    below(pmi_send);
}

STAND_IN(pmi_very_late, after_instruction)
{
    struct echo *echo = memory(struct echo);
    below(after_instruction);
    if (!echo->left || --echo->left)
        return;
    echo->under_way = true;
    model_pmi_deliver(m);
    echo->under_way = false;
}

PENDS(pmi_very_late, memory(struct echo)->left);
DEFECT(pmi_very_late, FUNCTIONS, "a PMI comes a second time, 20000 instructions later, masked or not",
       "class: an interrupt that the APIC keeps", PARAMETER("instructions", 1, 1000000, 20000));
