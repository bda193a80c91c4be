/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations in which an unmask brings a PMI: one that was raised while masked, or an additional one without cause. */
#define CHAPTERS "pmi.*,freeze.*,overflow.*,pebs.*,share.*"
#include "reference/deviations/stand_in.h"

/* ---- Held until the unmask; most only while the STATUS bit is set. */

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

static void deliver_at_unmask(struct model *m, uint64_t *held, bool goes_on)
{
    *held = *held && goes_on;
    if (!*held || model_lvtpc_masked(m))
        return;
    *held = false;
    model_pmi_deliver(m);
}

VARIATION(pmi_at_unmask,
          ALL(NOTED(pmi_meets_mask, good, noted = strikes()),
              NOTED(after_instruction, true, deliver_at_unmask(m, memory(uint64_t), still_asking(m))), WAITS(noted)),
          "a PMI raised while masked comes at unmask if STATUS is still set", "HSD91, BDM38");
DEFECT(masked_pmi_kept,
       ALL(NOTED(pmi_meets_mask, good, noted = strikes()),
           NOTED(after_instruction, true, deliver_at_unmask(m, memory(uint64_t), true)), WAITS(noted)),
       "a PMI raised while masked is delivered at unmask, STATUS cleared or not", "class: latched LVT input");

/* ---- Repeated, until one is raised while masked. */

VARIATION(pmi_repeats_until_status_clear,
          ALL(NOTED(pmi_meets_mask, good, noted = false), NOTES(pmi_send, true, noted |= strikes()),
              NOTED(after_instruction, true, deliver_at_unmask(m, memory(uint64_t), still_asking(m))), WAITS(noted)),
          "after a PMI, each unmask brings another while the STATUS bit stands", "HSD91, BDM38; Haswell, Broadwell",
          ALSO_ON("haswell"));
VARIATION(zero_counter_retriggers,
          ALL(NOTED(pmi_meets_mask, good, noted = false), NOTES(pmi_send, true, noted |= strikes()),
              NOTED(after_instruction, true, deliver_at_unmask(m, memory(uint64_t), asking_at_zero(m))), WAITS(noted)),
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

VARIATION(pmi_empty_second,
          ALL(BEFORE(pmi_send, !memory(struct echo)->under_way, memory(struct echo)->left = (uint32_t)parameter()),
              NOTED(after_instruction, true, deliver_echo(m, memory(struct echo))), WAITS(memory(struct echo)->left)),
          "a second PMI follows when the handler unmasks within 400 instructions", "late-ack cores; AAJ119, BV43",
          ALSO_ON("haswell", "sapphire-rapids"), PARAMETER("instructions", 1, 100000, 400));
VARIATION(two_pmis_fixed2,
          ALL(NOTES(overflow_interrupts, true, memory(struct echo)->wrapped = wrapped),
              BEFORE(pmi_send, !memory(struct echo)->under_way && (memory(struct echo)->wrapped & STATUS_FIXED(2)),
                     memory(struct echo)->left = (uint32_t)parameter()),
              NOTED(after_instruction, true, deliver_echo(m, memory(struct echo))), WAITS(memory(struct echo)->left)),
          "fixed counter 2 brings a second, empty PMI at an unmask within 400 instructions", "AAJ119; Nehalem",
          PARAMETER("instructions", 1, 100000, 400));
VARIATION(two_pmis_fixed0_freeze,
          ALL(NOTES(overflow_interrupts, true, memory(struct echo)->wrapped = wrapped),
              BEFORE(pmi_send,
                     !memory(struct echo)->under_way &&
                         ((memory(struct echo)->wrapped & STATUS_FIXED(0)) && freezes(m) && m->p.threads > 1),
                     memory(struct echo)->left = (uint32_t)parameter()),
              NOTED(after_instruction, true, deliver_echo(m, memory(struct echo))), WAITS(memory(struct echo)->left)),
          "with DEBUGCTL[12] and hyper-threading, fixed counter 0 brings a second, empty PMI likewise",
          "AAJ125, BV43; Nehalem, Ivy Bridge", PREPARED(deviation_with_threads),
          PARAMETER("instructions", 1, 100000, 400));

STAND_IN(sampling_two_pmis, pmi_send)
{
    struct echo *echo = memory(struct echo);
    if (!echo->under_way && echo->wrapped && strikes())
        echo->left = (uint32_t)parameter();
    echo->wrapped = 0;
    below(pmi_send);
}

/* A counter that samples and also asks for a PMI of its own gets two: from its overflow, and from the threshold. */
VARIATION(sampling_two_pmis,
          ALL(NOTES(overflow_interrupts, true, memory(struct echo)->wrapped |= asking & m->pebs.sampling),
              NOTED(after_instruction, true, deliver_echo(m, memory(struct echo))), WAITS(memory(struct echo)->left),
              FUNCTIONS),
          "a counter that samples with its interrupt bit set brings a second, empty PMI at the next unmask",
          "drivers of guests; the manual forbids that bit there", PARAMETER("instructions", 1, 1000000, 20000));

/* ---- A second one much later, whether masked or not. */

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

DEFECT(pmi_very_late,
       ALL(BEFORE(pmi_send, !memory(struct echo)->under_way && !memory(struct echo)->left,
                  memory(struct echo)->left = (uint32_t)parameter()),
           WAITS(memory(struct echo)->left), FUNCTIONS),
       "a PMI comes a second time, 20000 instructions later, masked or not", "class: an interrupt that the APIC keeps",
       PARAMETER("instructions", 1, 1000000, 20000));
