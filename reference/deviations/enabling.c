/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of which event a counter counts, and what enables it. */
#define CHAPTERS "gp.*,fixed.*,enum.*,global.*,freeze.*,share.*"
#include "reference/deviations/stand_in.h"

/* ---- Events */

static bool is_event(const struct model *m, uint64_t evtsel, uint8_t event)
{
    return model_architectural_event(m, evtsel) == event;
}

INSTEAD(selected_event, cycles_absent,
        is_event(m, evtsel, EVENT_CORE_CYCLES) && strikes(m, ARCH_EVENT_CLAIMED_ABSENT)
            ? EVENT_NONE
            : below(ARCH_EVENT_CLAIMED_ABSENT, selected_event));
DEFECT(ARCH_EVENT_CLAIMED_ABSENT, "arch-event-claimed-absent",
       "event 0, core cycles, is shown available and counts nothing", "AAJ79 (there with event 2)",
       STANDS_IN(FOR(selected_event, cycles_absent)));

INSTEAD(selected_event, branches_absent,
        is_event(m, evtsel, EVENT_BRANCHES) && strikes(m, BRANCH_EVENT_CLAIMED_ABSENT)
            ? EVENT_NONE
            : below(BRANCH_EVENT_CLAIMED_ABSENT, selected_event));
DEFECT(BRANCH_EVENT_CLAIMED_ABSENT, "branch-event-claimed-absent",
       "event 5, branches, is shown available and counts nothing", "class of AAJ79",
       STANDS_IN(FOR(selected_event, branches_absent)));

INSTEAD(selected_event, misses_are_branches,
        is_event(m, evtsel, EVENT_BRANCH_MISSES) && strikes(m, BRANCH_MISS_BOGUS)
            ? EVENT_BRANCHES
            : below(BRANCH_MISS_BOGUS, selected_event));
VARIATION(BRANCH_MISS_BOGUS, "branch-miss-bogus", "event 00C5H counts branches", "AAJ80; Nehalem",
          STANDS_IN(FOR(selected_event, misses_are_branches)));

/* Event selects that must be written once before counters work. */
static const uint32_t magic[] = {0x4300d2, 0x4300b1, 0x4300b5};

struct magic_seen {
    bool row[ARRAY_SIZE(magic)];
};

static uint64_t sees_magic(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    for (unsigned i = 0; i < ARRAY_SIZE(magic); i++)
        memory(m, COUNTS_CORE_CLOCK_UNTIL_MAGIC, struct magic_seen)->row[i] |= value == magic[i];
    return replaced(m, COUNTS_CORE_CLOCK_UNTIL_MAGIC, evtsel_kept)(m, n, was, value);
}

static uint8_t core_clock_until_magic(struct model *m, unsigned n, uint64_t evtsel)
{
    const struct magic_seen *seen = memory(m, COUNTS_CORE_CLOCK_UNTIL_MAGIC, struct magic_seen);
    bool all = seen->row[0] && seen->row[1] && seen->row[2];
    if (!is_event(m, evtsel, EVENT_NONE) && !all && strikes(m, COUNTS_CORE_CLOCK_UNTIL_MAGIC))
        return EVENT_CORE_CYCLES;
    return replaced(m, COUNTS_CORE_CLOCK_UNTIL_MAGIC, selected_event)(m, n, evtsel);
}
DEFECT(COUNTS_CORE_CLOCK_UNTIL_MAGIC, "counts-core-clock-until-magic",
       "GP counters count core cycles until 4300D2H, 4300B1H and 4300B5H were written to event selects",
       "AAJ91, AAK100, AAP53, BD53; Nehalem, Westmere",
       STANDS_IN(FOR(evtsel_kept, sees_magic), FOR(selected_event, core_clock_until_magic)));

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

static uint64_t programmed(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    struct select_reset *reset = memory(m, SELECTS_NEED_SEQUENCE, struct select_reset);
    if ((value & EVTSEL_EN) && !is_magic(value))
        reset->wrong[n] = !reset->done && strikes(m, SELECTS_NEED_SEQUENCE);
    return replaced(m, SELECTS_NEED_SEQUENCE, evtsel_kept)(m, n, was, value);
}

static uint64_t on_and_off(struct model *m, uint64_t value)
{
    struct select_reset *reset = memory(m, SELECTS_NEED_SEQUENCE, struct select_reset);
    reset->done = !value && (reset->on || reset->done);
    reset->on = value && holds_all_magic(m);
    return replaced(m, SELECTS_NEED_SEQUENCE, global_ctrl_kept)(m, value);
}

INSTEAD(selected_event, core_clock_unless_reset,
        memory(m, SELECTS_NEED_SEQUENCE, struct select_reset)->wrong[n] && !is_event(m, evtsel, EVENT_NONE)
            ? EVENT_CORE_CYCLES
            : below(SELECTS_NEED_SEQUENCE, selected_event));
VARIATION(
    SELECTS_NEED_SEQUENCE, "selects-need-sequence",
    "a GP counter counts core cycles unless its work-around's sequence ran before its event select was programmed",
    "AAJ91, AAK100, AAP53, AAT43, BD53; Nehalem, Westmere", ON("nehalem"),
    STANDS_IN(FOR(evtsel_kept, programmed), FOR(global_ctrl_kept, on_and_off),
              FOR(selected_event, core_clock_unless_reset)));

INSTEAD(gp_threshold, cmask_ignored, strikes(m, CMASK_IGNORED) ? 0 : below(CMASK_IGNORED, gp_threshold));
DEFECT(CMASK_IGNORED, "cmask-ignored", "IA32_PERFEVTSELn[31:24] have no effect", "emulators", EACH_COUNTER,
       ALSO_ON("lunar-lake"), MEANT_FOR("gp.cmask"), UNSEEN_ON("fixed0 fixed1 fixed2 fixed3 fixed4 fixed5 fixed6"),
       STANDS_IN(FOR(gp_threshold, cmask_ignored)));

CHANGED(gp_threshold, bit_ignored, CMASK_BIT_IGNORED,
        strikes(m, CMASK_BIT_IGNORED) ? (uint8_t)(good & ~BIT(parameter(m, CMASK_BIT_IGNORED))) : good);
DEFECT(CMASK_BIT_IGNORED, "cmask-bit-ignored", "the highest bit of the counter mask has no effect",
       "class: a comparison of too few bits", PARAMETER("bit", 5, 7, 7), MEANT_FOR("gp.cmask"),
       STANDS_IN(FOR(gp_threshold, bit_ignored)));

INSTEAD(gp_edge, edge_ignored, !strikes(m, EDGE_IGNORED) && below(EDGE_IGNORED, gp_edge));
DEFECT(EDGE_IGNORED, "edge-ignored", "with EDGE each cycle counts in which the condition holds", "emulators",
       NOT_BY(ERRATUM_ON("haswell", "HSD140", 0x306c3, 0x28, 0, 0)), MEANT_FOR("gp.*"),
       STANDS_IN(FOR(gp_edge, edge_ignored)));

/* ---- Enable bits */

INSTEAD(gp_enabled, without_en,
        below(COUNTS_WITHOUT_EVENT_ENABLE, gp_enabled) || strikes(m, COUNTS_WITHOUT_EVENT_ENABLE));
DEFECT(COUNTS_WITHOUT_EVENT_ENABLE, "counts-without-event-enable", "GP counters run with EVTSEL.EN clear", "emulators",
       ALSO_ON("lunar-lake"), STANDS_IN(FOR(gp_enabled, without_en)));

/* ---- Transactions: each aborts at once */

static void offers_transactions(struct model *m)
{
    m->p.leaf7_ebx |= BIT(11);
}
VARIATION(TRANSACTIONS_OFFERED, "transactions-offered",
          "CPUID.07H offers RTM, as before the microcode that took it away", "Haswell to Ice Lake",
          DATA(offers_transactions));

INSTEAD(gp_enabled, outside_too,
        replaced(m, IN_TX_IGNORED, gp_enabled)(m, strikes(m, IN_TX_IGNORED) ? evtsel & ~EVTSEL_IN_TX : evtsel));
DEFECT(IN_TX_IGNORED, "in-tx-ignored", "with IN_TX a counter counts outside transactions, too", "class: TSX filters",
       DATA(offers_transactions), STANDS_IN(FOR(gp_enabled, outside_too)));

INSTEAD(gp_enabled, dead_by_txcp,
        below(IN_TXCP_DEAD, gp_enabled) && !((evtsel & EVTSEL_IN_TXCP) && strikes(m, IN_TXCP_DEAD)));
DEFECT(IN_TXCP_DEAD, "in-txcp-dead", "with IN_TXCP IA32_PMC2 counts nothing outside transactions", "class: TSX filters",
       DATA(offers_transactions), STANDS_IN(FOR(gp_enabled, dead_by_txcp)));

/* Five instructions of each transaction, all of which abort. */
INSTEAD(counted, aborted_kept,
        instruction->kind == RETIRED_XBEGIN && c->bit < m->p.gp_count && c->event == EVENT_INSTRUCTIONS &&
                (m->controls.evtsel[c->bit] & EVTSEL_IN_TXCP) && strikes(m, ABORTED_COUNTED)
            ? 5
            : below(ABORTED_COUNTED, counted));
DEFECT(ABORTED_COUNTED, "aborted-counted", "IN_TXCP does not leave out what an aborted transaction retired",
       "class: checkpoint not restored", DATA(offers_transactions), MEANT_FOR("gp.*"),
       STANDS_IN(FOR(counted, aborted_kept)));

/* ---- Rings */

CHANGED(gp_rings, without_ring, COUNTS_WITHOUT_RING,
        !good && strikes(m, COUNTS_WITHOUT_RING) ? RING_OS | RING_USR : good);
DEFECT(COUNTS_WITHOUT_RING, "counts-without-ring", "GP counters run with neither USR nor OS set", "emulators",
       ALSO_ON("lunar-lake"), STANDS_IN(FOR(gp_rings, without_ring)));

CHANGED(gp_rings, any_thread_any_ring, ANYTHREAD_ONE_CPL_WRONG,
        (evtsel & EVTSEL_ANY) && good && strikes(m, ANYTHREAD_ONE_CPL_WRONG) ? RING_OS | RING_USR : good);
VARIATION(ANYTHREAD_ONE_CPL_WRONG, "anythread-one-cpl-wrong", "AnyThread with one ring counts in both",
          "BDM62; Broadwell", STANDS_IN(FOR(gp_rings, any_thread_any_ring)));

CHANGED(fixed_rings, fixed_disabled, FIXED_COUNTS_DISABLED,
        !good && strikes(m, FIXED_COUNTS_DISABLED) ? RING_OS | RING_USR : good);
DEFECT(FIXED_COUNTS_DISABLED, "fixed-counts-disabled", "fixed counters run with both enable bits clear", "emulators",
       ALSO_ON("lunar-lake"), STANDS_IN(FOR(fixed_rings, fixed_disabled)));

INSTEAD(globally_enabled, without_global,
        strikes(m, COUNTS_WITHOUT_GLOBAL_ENABLE) ? ~0ull : below(COUNTS_WITHOUT_GLOBAL_ENABLE, globally_enabled));
DEFECT(COUNTS_WITHOUT_GLOBAL_ENABLE, "counts-without-global-enable", "counters run with their GLOBAL_CTRL bit clear",
       "emulators of version 1", ON_EACH_GENERATION, STANDS_IN(FOR(globally_enabled, without_global)));
