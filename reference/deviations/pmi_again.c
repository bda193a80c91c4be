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

static bool held_at_mask(struct model *m)
{
    bool masked = replaced(m, PMI_AT_UNMASK, pmi_meets_mask)(m);
    if (masked)
        memory(m, PMI_AT_UNMASK, struct held)->now = strikes(m, PMI_AT_UNMASK);
    return masked;
}

static void delivers_at_unmask(struct model *m, const struct retired *instruction)
{
    replaced(m, PMI_AT_UNMASK, after_instruction)(m, instruction);
    deliver_at_unmask(m, memory(m, PMI_AT_UNMASK, struct held), still_asking(m));
}

PENDS(PMI_AT_UNMASK, memory(m, PMI_AT_UNMASK, struct held)->now);
VARIATION(PMI_AT_UNMASK, "pmi-at-unmask", "a PMI raised while masked comes at unmask if STATUS is still set",
          "HSD91, BDM38",
          STANDS_IN(FOR(pmi_meets_mask, held_at_mask), FOR(after_instruction, delivers_at_unmask),
                    PENDING(PMI_AT_UNMASK)));

static bool kept_at_mask(struct model *m)
{
    bool masked = replaced(m, MASKED_PMI_KEPT, pmi_meets_mask)(m);
    if (masked)
        memory(m, MASKED_PMI_KEPT, struct held)->now = strikes(m, MASKED_PMI_KEPT);
    return masked;
}

static void delivers_kept(struct model *m, const struct retired *instruction)
{
    replaced(m, MASKED_PMI_KEPT, after_instruction)(m, instruction);
    deliver_at_unmask(m, memory(m, MASKED_PMI_KEPT, struct held), true);
}

PENDS(MASKED_PMI_KEPT, memory(m, MASKED_PMI_KEPT, struct held)->now);
DEFECT(MASKED_PMI_KEPT, "masked-pmi-kept", "a PMI raised while masked is delivered at unmask, STATUS cleared or not",
       "class: latched LVT input",
       STANDS_IN(FOR(pmi_meets_mask, kept_at_mask), FOR(after_instruction, delivers_kept), PENDING(MASKED_PMI_KEPT)));

/* ---- Repeated, until one is raised while masked. */

static bool repeats_end(struct model *m)
{
    bool masked = replaced(m, PMI_REPEATS_UNTIL_STATUS_CLEAR, pmi_meets_mask)(m);
    if (masked)
        memory(m, PMI_REPEATS_UNTIL_STATUS_CLEAR, struct held)->now = false;
    return masked;
}

static void will_repeat(struct model *m, uint8_t vector, bool nmi)
{
    memory(m, PMI_REPEATS_UNTIL_STATUS_CLEAR, struct held)->now |= strikes(m, PMI_REPEATS_UNTIL_STATUS_CLEAR);
    replaced(m, PMI_REPEATS_UNTIL_STATUS_CLEAR, pmi_send)(m, vector, nmi);
}

static void repeats(struct model *m, const struct retired *instruction)
{
    replaced(m, PMI_REPEATS_UNTIL_STATUS_CLEAR, after_instruction)(m, instruction);
    deliver_at_unmask(m, memory(m, PMI_REPEATS_UNTIL_STATUS_CLEAR, struct held), still_asking(m));
}

PENDS(PMI_REPEATS_UNTIL_STATUS_CLEAR, memory(m, PMI_REPEATS_UNTIL_STATUS_CLEAR, struct held)->now);
VARIATION(PMI_REPEATS_UNTIL_STATUS_CLEAR, "pmi-repeats-until-status-clear",
          "after a PMI, each unmask brings another while the STATUS bit stands", "HSD91, BDM38; Haswell, Broadwell",
          ALSO_ON("haswell"),
          STANDS_IN(FOR(pmi_meets_mask, repeats_end), FOR(pmi_send, will_repeat), FOR(after_instruction, repeats),
                    PENDING(PMI_REPEATS_UNTIL_STATUS_CLEAR)));

static bool retriggers_end(struct model *m)
{
    bool masked = replaced(m, ZERO_COUNTER_RETRIGGERS, pmi_meets_mask)(m);
    if (masked)
        memory(m, ZERO_COUNTER_RETRIGGERS, struct held)->now = false;
    return masked;
}

static void will_retrigger(struct model *m, uint8_t vector, bool nmi)
{
    memory(m, ZERO_COUNTER_RETRIGGERS, struct held)->now |= strikes(m, ZERO_COUNTER_RETRIGGERS);
    replaced(m, ZERO_COUNTER_RETRIGGERS, pmi_send)(m, vector, nmi);
}

static void retriggers(struct model *m, const struct retired *instruction)
{
    replaced(m, ZERO_COUNTER_RETRIGGERS, after_instruction)(m, instruction);
    deliver_at_unmask(m, memory(m, ZERO_COUNTER_RETRIGGERS, struct held), asking_at_zero(m));
}

PENDS(ZERO_COUNTER_RETRIGGERS, memory(m, ZERO_COUNTER_RETRIGGERS, struct held)->now);
VARIATION(ZERO_COUNTER_RETRIGGERS, "zero-counter-retriggers",
          "after a PMI, each unmask brings another while the STATUS bit stands and the counter is 0",
          "seen by hypervisors, no erratum known", ALSO_ON("nehalem"),
          STANDS_IN(FOR(pmi_meets_mask, retriggers_end), FOR(pmi_send, will_retrigger),
                    FOR(after_instruction, retriggers), PENDING(ZERO_COUNTER_RETRIGGERS)));

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

static void echoes(struct model *m, uint8_t vector, bool nmi)
{
    struct echo *echo = memory(m, PMI_EMPTY_SECOND, struct echo);
    if (!echo->under_way && strikes(m, PMI_EMPTY_SECOND))
        echo->left = (uint32_t)parameter(m, PMI_EMPTY_SECOND);
    replaced(m, PMI_EMPTY_SECOND, pmi_send)(m, vector, nmi);
}

static void delivers_echo(struct model *m, const struct retired *instruction)
{
    replaced(m, PMI_EMPTY_SECOND, after_instruction)(m, instruction);
    deliver_echo(m, memory(m, PMI_EMPTY_SECOND, struct echo));
}

PENDS(PMI_EMPTY_SECOND, memory(m, PMI_EMPTY_SECOND, struct echo)->left);
VARIATION(PMI_EMPTY_SECOND, "pmi-empty-second", "a second PMI follows when the handler unmasks within 400 instructions",
          "late-ack cores; AAJ119, BV43", ALSO_ON("haswell", "sapphire-rapids"),
          PARAMETER("instructions", 1, 100000, 400),
          STANDS_IN(FOR(pmi_send, echoes), FOR(after_instruction, delivers_echo), PENDING(PMI_EMPTY_SECOND)));

static void notes_fixed2(struct model *m, uint64_t wrapped, uint64_t asking)
{
    memory(m, TWO_PMIS_FIXED2, struct echo)->wrapped = wrapped;
    replaced(m, TWO_PMIS_FIXED2, overflow_interrupts)(m, wrapped, asking);
}

static void echoes_fixed2(struct model *m, uint8_t vector, bool nmi)
{
    struct echo *echo = memory(m, TWO_PMIS_FIXED2, struct echo);
    if (!echo->under_way && (echo->wrapped & STATUS_FIXED(2)) && strikes(m, TWO_PMIS_FIXED2))
        echo->left = (uint32_t)parameter(m, TWO_PMIS_FIXED2);
    replaced(m, TWO_PMIS_FIXED2, pmi_send)(m, vector, nmi);
}

static void delivers_fixed2(struct model *m, const struct retired *instruction)
{
    replaced(m, TWO_PMIS_FIXED2, after_instruction)(m, instruction);
    deliver_echo(m, memory(m, TWO_PMIS_FIXED2, struct echo));
}

PENDS(TWO_PMIS_FIXED2, memory(m, TWO_PMIS_FIXED2, struct echo)->left);
VARIATION(TWO_PMIS_FIXED2, "two-pmis-fixed2",
          "fixed counter 2 brings a second, empty PMI at an unmask within 400 instructions", "AAJ119; Nehalem",
          PARAMETER("instructions", 1, 100000, 400),
          STANDS_IN(FOR(overflow_interrupts, notes_fixed2), FOR(pmi_send, echoes_fixed2),
                    FOR(after_instruction, delivers_fixed2), PENDING(TWO_PMIS_FIXED2)));

static void notes_fixed0(struct model *m, uint64_t wrapped, uint64_t asking)
{
    memory(m, TWO_PMIS_FIXED0_FREEZE, struct echo)->wrapped = wrapped;
    replaced(m, TWO_PMIS_FIXED0_FREEZE, overflow_interrupts)(m, wrapped, asking);
}

static void echoes_fixed0(struct model *m, uint8_t vector, bool nmi)
{
    struct echo *echo = memory(m, TWO_PMIS_FIXED0_FREEZE, struct echo);
    bool concerned = (echo->wrapped & STATUS_FIXED(0)) && freezes(m) && m->p.threads > 1;
    if (!echo->under_way && concerned && strikes(m, TWO_PMIS_FIXED0_FREEZE))
        echo->left = (uint32_t)parameter(m, TWO_PMIS_FIXED0_FREEZE);
    replaced(m, TWO_PMIS_FIXED0_FREEZE, pmi_send)(m, vector, nmi);
}

static void delivers_fixed0(struct model *m, const struct retired *instruction)
{
    replaced(m, TWO_PMIS_FIXED0_FREEZE, after_instruction)(m, instruction);
    deliver_echo(m, memory(m, TWO_PMIS_FIXED0_FREEZE, struct echo));
}

PENDS(TWO_PMIS_FIXED0_FREEZE, memory(m, TWO_PMIS_FIXED0_FREEZE, struct echo)->left);
VARIATION(TWO_PMIS_FIXED0_FREEZE, "two-pmis-fixed0-freeze",
          "with DEBUGCTL[12] and hyper-threading, fixed counter 0 brings a second, empty PMI likewise",
          "AAJ125, BV43; Nehalem, Ivy Bridge", DATA(deviation_with_threads), PARAMETER("instructions", 1, 100000, 400),
          STANDS_IN(FOR(overflow_interrupts, notes_fixed0), FOR(pmi_send, echoes_fixed0),
                    FOR(after_instruction, delivers_fixed0), PENDING(TWO_PMIS_FIXED0_FREEZE)));

/* A counter that samples and also asks for a PMI of its own gets two: from its overflow, and from the threshold. */
static void notes_sampled(struct model *m, uint64_t wrapped, uint64_t asking)
{
    memory(m, TWO_PMIS_SAMPLED, struct echo)->wrapped |= asking & m->pebs.sampling;
    replaced(m, TWO_PMIS_SAMPLED, overflow_interrupts)(m, wrapped, asking);
}

static void echoes_sampled(struct model *m, uint8_t vector, bool nmi)
{
    struct echo *echo = memory(m, TWO_PMIS_SAMPLED, struct echo);
    if (!echo->under_way && echo->wrapped && strikes(m, TWO_PMIS_SAMPLED))
        echo->left = (uint32_t)parameter(m, TWO_PMIS_SAMPLED);
    echo->wrapped = 0;
    replaced(m, TWO_PMIS_SAMPLED, pmi_send)(m, vector, nmi);
}

static void delivers_sampled(struct model *m, const struct retired *instruction)
{
    replaced(m, TWO_PMIS_SAMPLED, after_instruction)(m, instruction);
    deliver_echo(m, memory(m, TWO_PMIS_SAMPLED, struct echo));
}

PENDS(TWO_PMIS_SAMPLED, memory(m, TWO_PMIS_SAMPLED, struct echo)->left);
VARIATION(TWO_PMIS_SAMPLED, "sampling-two-pmis",
          "a counter that samples with its interrupt bit set brings a second, empty PMI at the next unmask",
          "drivers of guests; the manual forbids that bit there", PARAMETER("instructions", 1, 1000000, 20000),
          STANDS_IN(FOR(overflow_interrupts, notes_sampled), FOR(pmi_send, echoes_sampled),
                    FOR(after_instruction, delivers_sampled), PENDING(TWO_PMIS_SAMPLED)));

/* ---- A second one much later, whether masked or not. */

static void echoes_late(struct model *m, uint8_t vector, bool nmi)
{
    struct echo *echo = memory(m, PMI_VERY_LATE, struct echo);
    if (!echo->under_way && !echo->left && strikes(m, PMI_VERY_LATE))
        echo->left = (uint32_t)parameter(m, PMI_VERY_LATE);
    replaced(m, PMI_VERY_LATE, pmi_send)(m, vector, nmi);
}

static void delivers_late(struct model *m, const struct retired *instruction)
{
    struct echo *echo = memory(m, PMI_VERY_LATE, struct echo);
    replaced(m, PMI_VERY_LATE, after_instruction)(m, instruction);
    if (!echo->left || --echo->left)
        return;
    echo->under_way = true;
    model_pmi_deliver(m);
    echo->under_way = false;
}

PENDS(PMI_VERY_LATE, memory(m, PMI_VERY_LATE, struct echo)->left);
DEFECT(PMI_VERY_LATE, "pmi-very-late", "a PMI comes a second time, 20000 instructions later, masked or not",
       "class: an interrupt that the APIC keeps", PARAMETER("instructions", 1, 1000000, 20000),
       STANDS_IN(FOR(pmi_send, echoes_late), FOR(after_instruction, delivers_late), PENDING(PMI_VERY_LATE)));
