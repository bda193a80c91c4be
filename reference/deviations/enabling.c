/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of which event a counter counts, and what enables it. */
#define CHAPTERS "gp.*,fixed.*,enum.*,global.*,freeze.*,share.*"
#include "reference/deviations/stand_in.h"

/* ---- Events */

static bool is_event(const struct model *m, uint64_t evtsel, uint8_t event)
{
    return model_architectural_event(m, evtsel) == event;
}

DEFECT(arch_event_claimed_absent, INSTEAD(selected_event, is_event(m, evtsel, EVENT_CORE_CYCLES), EVENT_NONE),
       "event 0, core cycles, is shown available and counts nothing", "AAJ79 (there with event 2)");
DEFECT(branch_event_claimed_absent, INSTEAD(selected_event, is_event(m, evtsel, EVENT_BRANCHES), EVENT_NONE),
       "event 5, branches, is shown available and counts nothing", "class of AAJ79");
VARIATION(branch_miss_bogus, INSTEAD(selected_event, is_event(m, evtsel, EVENT_BRANCH_MISSES), EVENT_BRANCHES),
          "event 00C5H counts branches", "AAJ80; Nehalem");

/* Event selects that must be written once before counters work. */
static const uint32_t magic[] = {0x4300d2, 0x4300b1, 0x4300b5};

struct magic_seen {
    bool row[ARRAY_SIZE(magic)];
};

static void note_magic(struct magic_seen *seen, uint64_t value)
{
    for (unsigned i = 0; i < ARRAY_SIZE(magic); i++)
        seen->row[i] |= value == magic[i];
}

DEFECT(counts_core_clock_until_magic,
       ALL(NOTES(evtsel_kept, true, note_magic(memory(struct magic_seen), value)),
           INSTEAD(selected_event,
                   !is_event(m, evtsel, EVENT_NONE) &&
                       !(memory(struct magic_seen)->row[0] && memory(struct magic_seen)->row[1] &&
                         memory(struct magic_seen)->row[2]),
                   EVENT_CORE_CYCLES)),
       "GP counters count core cycles until 4300D2H, 4300B1H and 4300B5H were written to event selects",
       "AAJ91, AAK100, AAP53, BD53; Nehalem, Westmere");

/*
 * Likewise, but each time: an enabled event select counts its event only if the counters were on and off again with
 * these events in their selects since anything was last counted.
 */
struct select_reset {
    bool on, done;
    bool wrong[GP_MAX];
};

static bool holds_all_magic(const struct model *m)
{
    unsigned held = 0;
    for (unsigned i = 0; i < ARRAY_SIZE(magic); i++)
        for (unsigned n = 0; n < m->p.gp_count; n++)
            held |= m->controls.evtsel[n] == magic[i] ? BIT(i) : 0;
    return held == MASK(ARRAY_SIZE(magic) - 1, 0);
}

static bool is_magic(uint64_t evtsel)
{
    for (unsigned i = 0; i < ARRAY_SIZE(magic); i++)
        if (evtsel == magic[i])
            return true;
    return false;
}

VARIATION(
    selects_need_sequence,
    ALL(NOTES(evtsel_kept, (value & EVTSEL_EN) && !is_magic(value),
              memory(struct select_reset)->wrong[n] = !memory(struct select_reset)->done && strikes()),
        NOTES(global_ctrl_kept, true,
              memory(struct select_reset)->done = !value && (memory(struct select_reset)->on ||
                                                             memory(struct select_reset)->done);
              memory(struct select_reset)->on = value && holds_all_magic(m)),
        IS(selected_event, memory(struct select_reset)->wrong[n] && !is_event(m, evtsel, EVENT_NONE)
                               ? EVENT_CORE_CYCLES
                               : below(selected_event))),
    "a GP counter counts core cycles unless its work-around's sequence ran before its event select was programmed",
    "AAJ91, AAK100, AAP53, AAT43, BD53; Nehalem, Westmere", ON("nehalem"));
DEFECT(cmask_ignored, INSTEAD(gp_threshold, true, 0), "IA32_PERFEVTSELn[31:24] have no effect", "emulators",
       EACH_COUNTER, ALSO_ON("lunar-lake"), MEANT_FOR("gp.cmask"),
       UNSEEN_ON("fixed0 fixed1 fixed2 fixed3 fixed4 fixed5 fixed6"));
DEFECT(cmask_bit_ignored, CHANGED(gp_threshold, true, (uint8_t)(good & ~BIT(parameter()))),
       "the highest bit of the counter mask has no effect", "class: a comparison of too few bits",
       PARAMETER("bit", 5, 7, 7), MEANT_FOR("gp.cmask"));
DEFECT(edge_ignored, INSTEAD(gp_edge, true, false), "with EDGE each cycle counts in which the condition holds",
       "emulators", NOT_BY(ERRATUM_ON("haswell", "HSD140", 0x306c3, 0x28, 0, 0)), MEANT_FOR("gp.*"));

/* ---- Enable bits */

DEFECT(counts_without_event_enable, CHANGED(gp_enabled, !good, true), "GP counters run with EVTSEL.EN clear",
       "emulators", ALSO_ON("lunar-lake"));

/* ---- Transactions: each aborts at once, or goes on until XABORT or an event */

static void offers_transactions(struct model *m)
{
    m->p.leaf7_ebx |= BIT(11);
}
VARIATION(transactions_offered, NO_RULE, "CPUID.07H offers RTM, as before the microcode that took it away",
          "Haswell to Ice Lake", PREPARED(offers_transactions));
DEFECT(in_tx_ignored, BEFORE(gp_enabled, true, evtsel &= ~EVTSEL_IN_TX),
       "with IN_TX a counter counts outside transactions, too", "class: TSX filters", PREPARED(offers_transactions));
DEFECT(in_txcp_dead, CHANGED(gp_enabled, good && (evtsel & EVTSEL_IN_TXCP), false),
       "with IN_TXCP IA32_PMC2 counts nothing outside transactions", "class: TSX filters",
       PREPARED(offers_transactions), NOT_BY(ERRATUM("SKL194", 0x506e3, 0xf0, BIT(11), 0)));

/* Counters that count only in transactions are waited for: what begins one must be seen. */
static bool awaits_transaction(const struct model *m)
{
    for (unsigned n = 0; n < m->p.gp_count; n++)
        if ((m->controls.evtsel[n] & EVTSEL_IN_TX) && (m->controls.evtsel[n] & EVTSEL_EN))
            return true;
    return false;
}

VARIATION(transactions_go_on, ALL(IS(transaction_goes_on, true), WAITS(awaits_transaction(m))),
          "a transaction retires its instructions and aborts by XABORT", "as before that microcode",
          PREPARED(offers_transactions));
VARIATION(xbegin_stays_counted,
          ALL(IS(transaction_goes_on, true), WAITS(awaits_transaction(m)), MAKES(transaction_undone, good + 1)),
          "likewise, and an abort does not take back the count of XBEGIN itself", "the manual does not say",
          PREPARED(offers_transactions));
DEFECT(aborted_counted,
       ALL(IS(transaction_goes_on, true), WAITS(awaits_transaction(m)),
           CHANGED(transaction_undone, true, m->counters.pmc[n])),
       "IN_TXCP does not leave out what an aborted transaction retired", "class of SKL194: checkpoint not restored",
       ON("ice-lake"), PREPARED(offers_transactions), MEANT_FOR("gp.*"),
       MIMICS(ERRATUM_ON("skylake", "SKL194", 0x506e3, 0xf0, BIT(11), 0)));

/* ---- Rings */

DEFECT(counts_without_ring, CHANGED(gp_rings, !good, RING_OS | RING_USR), "GP counters run with neither USR nor OS set",
       "emulators", ALSO_ON("lunar-lake"));
VARIATION(anythread_one_cpl_wrong, CHANGED(gp_rings, (evtsel & EVTSEL_ANY) && good, RING_OS | RING_USR),
          "AnyThread with one ring counts in both", "BDM62; Broadwell");
DEFECT(fixed_counts_disabled, CHANGED(fixed_rings, !good, RING_OS | RING_USR),
       "fixed counters run with both enable bits clear", "emulators", ALSO_ON("lunar-lake"));
DEFECT(counts_without_global_enable, INSTEAD(globally_enabled, true, ~0ull),
       "counters run with their GLOBAL_CTRL bit clear", "emulators of version 1", ON_EACH_GENERATION);
