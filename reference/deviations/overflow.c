/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of overflow: the value after it, which STATUS bit is set, and what asks for a PMI. */
#define CHAPTERS "overflow.*,global.*,freeze.*,pmi.*,share.*"
#include "reference/deviations/stand_in.h"

/* ---- The counter */

INSTEAD(wrapped_value, one_more,
        replaced(m, OVERFLOW_ADDS_ONE, wrapped_value)(m, c, strikes(m, OVERFLOW_ADDS_ONE) ? sum + 1 : sum));
DEFECT(OVERFLOW_ADDS_ONE, "overflow-adds-one", "the wrap adds one to the counter", "old KVM emulation",
       NOT_BY(ERRATUM("AAJ107", 0x106a5, 0x19, 0, 0), ERRATUM_ON("sandy-bridge", "BJ136", 0x206a7, 0x2f, 0, 0),
              ERRATUM_ON("haswell", "HSD143", 0x306c3, 0x28, 0, 2)),
       STANDS_IN(FOR(wrapped_value, one_more)));

static uint64_t from_elsewhere(struct model *m, const struct counting *c, uint64_t sum)
{
    uint64_t value = strikes(m, OVERFLOW_WRONG_VALUE) ? parameter(m, OVERFLOW_WRONG_VALUE) : sum;
    return replaced(m, OVERFLOW_WRONG_VALUE, wrapped_value)(m, c, value);
}
DEFECT(OVERFLOW_WRONG_VALUE, "overflow-wrong-value", "a counter that wraps goes on from 100H, not from 0",
       "class: a reload nobody asked for", PARAMETER("value", 1, 0xffffffff, 0x100),
       STANDS_IN(FOR(wrapped_value, from_elsewhere)));

/* Counters that have just wrapped. Events in the same clock as the wrap are seen here with the next instruction. */
struct wrapped_now {
    bool bit[64];
};

static uint64_t starts_at_zero(struct model *m, const struct counting *c, uint64_t sum)
{
    bool here = strikes(m, WRAP_LOSES_REST);
    memory(m, WRAP_LOSES_REST, struct wrapped_now)->bit[c->bit] = here;
    return replaced(m, WRAP_LOSES_REST, wrapped_value)(m, c, here ? 0 : sum);
}

static uint32_t rest_lost(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    bool *now = &memory(m, WRAP_LOSES_REST, struct wrapped_now)->bit[c->bit];
    n = replaced(m, WRAP_LOSES_REST, counted)(m, in, c, n);
    bool lost = n && *now;
    *now = *now && !lost;
    return lost ? 0 : n;
}
DEFECT(WRAP_LOSES_REST, "wrap-loses-rest",
       "a counter that wraps becomes 0, and misses everything else that retires in the same clock",
       "class: an increment of more than one", MEANT_FOR("overflow.*"),
       HIDDEN("nehalem", "AAJ107 names no rate: counts may be as much too low each time"),
       STANDS_IN(FOR(wrapped_value, starts_at_zero), FOR(counted, rest_lost)));

INSTEAD(overflow_status, untold_at_cpl_3,
        caused_by_user(m) && strikes(m, STATUS_NOT_AT_CPL_3) ? 0 : below(STATUS_NOT_AT_CPL_3, overflow_status));
DEFECT(STATUS_NOT_AT_CPL_3, "status-not-at-cpl-3", "a wrap at CPL 3 sets no STATUS bit",
       "class: seen by who traces users", ALSO_ON("sandy-bridge"), MEANT_FOR("overflow.*,pmi.*"),
       STANDS_IN(FOR(overflow_status, untold_at_cpl_3)));

static void asks_at_cpl_3(struct model *m, uint64_t wrapped, uint64_t asking)
{
    replaced(m, PMI_WITHOUT_INT_AT_CPL_3, overflow_interrupts)(m, wrapped, asking);
    if (!asking && wrapped && caused_by_user(m) && strikes(m, PMI_WITHOUT_INT_AT_CPL_3))
        rule(m, pmi_raise)(m);
}
DEFECT(PMI_WITHOUT_INT_AT_CPL_3, "pmi-without-int-at-cpl-3", "a wrap at CPL 3 raises a PMI that is not enabled",
       "class: one enable for two rings", MEANT_FOR("pmi.*"), STANDS_IN(FOR(overflow_interrupts, asks_at_cpl_3)));

static void asks_beside_others(struct model *m, uint64_t wrapped, uint64_t asking)
{
    bool asks = m->active.count > 1 && strikes(m, PMI_WITHOUT_INT_BESIDE_OTHERS);
    replaced(m, PMI_WITHOUT_INT_BESIDE_OTHERS, overflow_interrupts)(m, wrapped, asks ? wrapped : asking);
}
DEFECT(PMI_WITHOUT_INT_BESIDE_OTHERS, "pmi-without-int-beside-others",
       "a wrap while several counters count raises a PMI that is not enabled", "class: one enable for all of them",
       MEANT_FOR("pmi.without-int"), ALSO_ON("silvermont"), STANDS_IN(FOR(overflow_interrupts, asks_beside_others)));

static void fixed_silent_at_cpl_3(struct model *m, uint64_t wrapped, uint64_t asking)
{
    bool silent = !(asking & MASK(31, 0)) && caused_by_user(m) && comes_as_nmi(m) && m->active.count > 1;
    if (!silent || !strikes(m, PMI_LOST_OF_FIXED_BY_NMI_AT_CPL_3))
        replaced(m, PMI_LOST_OF_FIXED_BY_NMI_AT_CPL_3, overflow_interrupts)(m, wrapped, asking);
}
DEFECT(PMI_LOST_OF_FIXED_BY_NMI_AT_CPL_3, "pmi-lost-of-fixed-by-nmi-at-cpl-3",
       "a fixed counter that wraps at CPL 3 beside others raises no NMI", "class: a corner of four conditions",
       MEANT_FOR("pmi.*"), STANDS_IN(FOR(overflow_interrupts, fixed_silent_at_cpl_3)));

static void stops(struct model *m, uint64_t wrapped, uint64_t asking)
{
    if (strikes(m, STOPS_AT_OVERFLOW)) {
        m->controls.stored[STORED_GLOBAL_CTRL] &= ~wrapped;
        mark_stale(m);
    }
    replaced(m, STOPS_AT_OVERFLOW, overflow_interrupts)(m, wrapped, asking);
}
DEFECT(STOPS_AT_OVERFLOW, "stops-at-overflow", "a counter that wraps clears its own GLOBAL_CTRL bit",
       "class: freeze without request", STANDS_IN(FOR(overflow_interrupts, stops)));

/* STATUS already has the bits of the counters that wrap now. */
static void only_if_alone(struct model *m, uint64_t wrapped, uint64_t asking)
{
    uint64_t others = m->status.bits & ~wrapped & (MASK(31, 0) | MASK(47, 32));
    bool silent = others && strikes(m, OVERFLOW_ASKS_ALONE);
    replaced(m, OVERFLOW_ASKS_ALONE, overflow_interrupts)(m, wrapped, silent ? 0 : asking);
}
DEFECT(OVERFLOW_ASKS_ALONE, "overflow-asks-alone", "no PMI comes while another counter's overflow bit stands",
       "class: one level for all of them", MEANT_FOR("pmi.*"), ALSO_ON("lunar-lake", "silvermont"),
       STANDS_IN(FOR(overflow_interrupts, only_if_alone)));

static uint64_t replaces_others(struct model *m, uint64_t wrapped, uint64_t asking)
{
    if (asking && strikes(m, OVERFLOW_STATUS_REPLACES))
        m->status.bits &= ~(MASK(31, 0) | MASK(47, 32));
    return replaced(m, OVERFLOW_STATUS_REPLACES, overflow_status)(m, wrapped, asking);
}
DEFECT(OVERFLOW_STATUS_REPLACES, "overflow-status-replaces",
       "an overflow that asks for a PMI clears the bits of those before", "class: a register written, not or'ed into",
       MEANT_FOR("pmi.*"), ALSO_ON("lunar-lake", "silvermont"), STANDS_IN(FOR(overflow_status, replaces_others)));

/* ---- Wraps that affect the other thread */

static void hand_over(struct model *m, uint64_t wrapped)
{
    for (unsigned n = 0; n < GP_MAX; n++)
        if (wrapped >> n & 1)
            __atomic_store_n(&m->sharing.beside->handed[!(m->cpu % 2)][n], 1, __ATOMIC_RELEASE);
}

static uint64_t also_beside(struct model *m, uint64_t wrapped, uint64_t asking)
{
    if ((wrapped & MASK(31, 0)) && strikes(m, STATUS_ALSO_ON_THREAD))
        hand_over(m, wrapped);
    return replaced(m, STATUS_ALSO_ON_THREAD, overflow_status)(m, wrapped, asking);
}

static uint64_t with_those_of_the_other(struct model *m)
{
    uint64_t status = replaced(m, STATUS_ALSO_ON_THREAD, status_shown)(m);
    for (unsigned n = 0; n < GP_MAX; n++)
        if (__atomic_load_n(&m->sharing.beside->handed[m->cpu % 2][n], __ATOMIC_ACQUIRE))
            status |= STATUS_GP(n);
    return status;
}

static uint64_t clears_those_too(struct model *m, uint64_t clear)
{
    for (unsigned n = 0; n < GP_MAX; n++)
        if (clear & STATUS_GP(n))
            __atomic_store_n(&m->sharing.beside->handed[m->cpu % 2][n], 0, __ATOMIC_RELEASE);
    return replaced(m, STATUS_ALSO_ON_THREAD, status_cleared)(m, clear);
}
DEFECT(STATUS_ALSO_ON_THREAD, "status-also-on-thread",
       "a GP counter's wrap sets the STATUS bit of that number on the other thread as well", "class: AnyThread routing",
       ON("haswell"), DATA(deviation_with_threads),
       STANDS_IN(FOR(overflow_status, also_beside), FOR(status_shown, with_those_of_the_other),
                 FOR(status_cleared, clears_those_too)));

/* ---- Wraps that are missed */

static uint64_t close_fixed_dropped(struct model *m, uint64_t wrapped)
{
    uint64_t fixed = wrapped & MASK(63, 32);
    uint64_t all_but_lowest = fixed & (fixed - 1);
    if (all_but_lowest && freezes(m) && strikes(m, CLOSE_FIXED_OVERFLOWS_DROPPED))
        wrapped &= ~all_but_lowest;
    return replaced(m, CLOSE_FIXED_OVERFLOWS_DROPPED, overflows_seen)(m, wrapped);
}
DEFECT(CLOSE_FIXED_OVERFLOWS_DROPPED, "close-fixed-overflows-dropped",
       "with DEBUGCTL[12], of fixed counters that wrap together only the lowest is flagged",
       "AAJ148, BJ74; Nehalem to Ivy Bridge",
       MIMICS(ERRATUM("AAJ148", 0x106a5, 0x19, 0, 0), ERRATUM_ON("sandy-bridge", "BJ74", 0x206a7, 0x2f, 0, 0),
              ERRATUM_ON("sandy-bridge", "BV72", 0x306a9, 0x21, 0, 0)),
       STANDS_IN(FOR(overflows_seen, close_fixed_dropped)));

static uint64_t last_gp_unseen(struct model *m, uint64_t wrapped)
{
    if (strikes(m, LAST_GP_OVERFLOW_LOST))
        wrapped &= ~STATUS_GP(m->p.gp_count - 1);
    return replaced(m, LAST_GP_OVERFLOW_LOST, overflows_seen)(m, wrapped);
}
DEFECT(LAST_GP_OVERFLOW_LOST, "last-gp-overflow-lost", "the last GP counter wraps without any sign",
       "class: one bad counter", ALSO_ON("silvermont"), STANDS_IN(FOR(overflows_seen, last_gp_unseen)));

static uint64_t fixed_unseen(struct model *m, uint64_t wrapped)
{
    if (strikes(m, FIXED_OVERFLOW_LOST))
        wrapped &= MASK(31, 0);
    return replaced(m, FIXED_OVERFLOW_LOST, overflows_seen)(m, wrapped);
}
DEFECT(FIXED_OVERFLOW_LOST, "fixed-overflow-lost", "fixed counters wrap without any sign", "class of AAJ148",
       NOT_BY(ERRATUM("AAJ148", 0x106a5, 0x19, 0, 0)), STANDS_IN(FOR(overflows_seen, fixed_unseen)));

static uint64_t lowest_alone(struct model *m, uint64_t wrapped)
{
    if (strikes(m, SIMULTANEOUS_OVERFLOW_LOST))
        wrapped &= -wrapped;
    return replaced(m, SIMULTANEOUS_OVERFLOW_LOST, overflows_seen)(m, wrapped);
}
DEFECT(SIMULTANEOUS_OVERFLOW_LOST, "simultaneous-overflow-lost",
       "of counters that wrap together only the lowest is flagged", "AAJ148, BJ74", INTERMITTENT,
       STANDS_IN(FOR(overflows_seen, lowest_alone)));

/* The last wrap, and for how many more instructions it hides other wraps. */
#define HIDES 8
struct wrap_before {
    uint64_t wrapped;
    unsigned left;
};

static uint64_t hidden_by_before(struct model *m, uint64_t wrapped)
{
    struct wrap_before *before = memory(m, SECOND_OVERFLOW_LOST, struct wrap_before);
    if (before->left && strikes(m, SECOND_OVERFLOW_LOST))
        wrapped &= before->wrapped;
    if (wrapped)
        *before = (struct wrap_before){wrapped, HIDES + 1};
    return replaced(m, SECOND_OVERFLOW_LOST, overflows_seen)(m, wrapped);
}

static void before_passes(struct model *m, const struct retired *instruction)
{
    struct wrap_before *before = memory(m, SECOND_OVERFLOW_LOST, struct wrap_before);
    before->left -= !!before->left;
    replaced(m, SECOND_OVERFLOW_LOST, after_instruction)(m, instruction);
}

INSTEAD(each_matters, each_behind_a_wrap,
        memory(m, SECOND_OVERFLOW_LOST, struct wrap_before)->left || below(SECOND_OVERFLOW_LOST, each_matters));
DEFECT(SECOND_OVERFLOW_LOST, "second-overflow-lost",
       "a counter that wraps up to eight instructions after another one is not flagged", "class of AAJ148",
       MEANT_FOR("overflow.*,pmi.*"), NOT_BY(ERRATUM("AAJ148", 0x106a5, 0x19, 0, 0)),
       STANDS_IN(FOR(overflows_seen, hidden_by_before), FOR(after_instruction, before_passes),
                 FOR(each_matters, each_behind_a_wrap)));

static uint64_t one_of_many_unseen(struct model *m, uint64_t wrapped)
{
    uint64_t *seen = memory(m, OVERFLOW_513_LOST, uint64_t), every = parameter(m, OVERFLOW_513_LOST);
    for (uint64_t left = wrapped; left; left &= left - 1)
        if (++*seen % every == 0 && strikes(m, OVERFLOW_513_LOST))
            wrapped &= ~(left & -left);
    return replaced(m, OVERFLOW_513_LOST, overflows_seen)(m, wrapped);
}
DEFECT(OVERFLOW_513_LOST, "overflow-513-lost", "each 513th overflow leaves no sign", "class: a queue that runs full",
       PARAMETER("every", 2, 1000000, 513), STANDS_IN(FOR(overflows_seen, one_of_many_unseen)));

/* ---- Carries taken for wraps */

/* A carry into this bit sets the counter's STATUS bit. */
static void flag_carry(struct model *m, const struct counting *c, uint32_t n, unsigned bit)
{
    if ((*c->value + n) >> bit != *c->value >> bit && *c->value + n <= c->limit)
        m->status.bits |= BIT(c->bit);
}

static uint32_t flagged_at_sign(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    n = replaced(m, OVERFLOW_AT_SIGN, counted)(m, in, c, n);
    if (c->bit < 32 && strikes(m, OVERFLOW_AT_SIGN))
        flag_carry(m, c, n, m->p.gp_width - 1u);
    return n;
}
DEFECT(OVERFLOW_AT_SIGN, "overflow-at-sign", "a GP counter that carries into its highest bit sets its STATUS bit",
       "class: a signed overflow", MEANT_FOR("overflow.edges"), STANDS_IN(FOR(counted, flagged_at_sign)));

static uint32_t flagged_at_half(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    n = replaced(m, FIXED_OVERFLOW_AT_HALF, counted)(m, in, c, n);
    if (c->bit >= 32 && strikes(m, FIXED_OVERFLOW_AT_HALF))
        flag_carry(m, c, n, 32);
    return n;
}
DEFECT(FIXED_OVERFLOW_AT_HALF, "fixed-overflow-at-half",
       "a fixed counter that carries out of its lower 32 bits sets its STATUS bit", "class: a counter in parts",
       MEANT_FOR("fixed.carry,overflow.edges"), STANDS_IN(FOR(counted, flagged_at_half)));

/* ---- STATUS bits */

INSTEAD(overflow_status, only_asking,
        strikes(m, STATUS_NOT_SET_WITHOUT_INT) ? asking : below(STATUS_NOT_SET_WITHOUT_INT, overflow_status));
DEFECT(STATUS_NOT_SET_WITHOUT_INT, "status-not-set-without-int", "a wrap without the interrupt bit leaves STATUS clear",
       "emulators that look at overflow only for PMIs", STANDS_IN(FOR(overflow_status, only_asking)));

CHANGED(overflow_status, only_silent, STATUS_NOT_SET_WITH_INT,
        strikes(m, STATUS_NOT_SET_WITH_INT) ? good & ~asking : good);
DEFECT(STATUS_NOT_SET_WITH_INT, "status-not-set-with-int", "a wrap with the interrupt bit leaves STATUS clear",
       "class: the PMI consumes the bit", ALSO_ON("lunar-lake"), STANDS_IN(FOR(overflow_status, only_silent)));

/* The neighbour's bit; for the last counter that of the first. */
static uint64_t neighbours(struct model *m, uint64_t wrapped, uint64_t asking)
{
    uint64_t gp = wrapped & MASK(31, 0), fixed = wrapped & MASK(63, 32);
    if (gp && strikes(m, STATUS_WRONG_BIT))
        return fixed | (gp << 1 & width_mask(m->p.gp_count)) | gp >> (m->p.gp_count - 1);
    return replaced(m, STATUS_WRONG_BIT, overflow_status)(m, wrapped, asking);
}
DEFECT(STATUS_WRONG_BIT, "status-wrong-bit", "a GP counter's wrap sets its neighbour's STATUS bit", "class",
       STANDS_IN(FOR(overflow_status, neighbours)));

static uint64_t fixed_as_gp(struct model *m, uint64_t wrapped, uint64_t asking)
{
    uint64_t gp = wrapped & MASK(31, 0), fixed = wrapped & MASK(63, 32);
    if (fixed && strikes(m, FIXED_STATUS_IN_GP_BITS))
        return gp | fixed >> 32;
    return replaced(m, FIXED_STATUS_IN_GP_BITS, overflow_status)(m, wrapped, asking);
}
DEFECT(FIXED_STATUS_IN_GP_BITS, "fixed-status-in-gp-bits", "fixed counter i sets STATUS bit i, not 32 + i", "emulators",
       STANDS_IN(FOR(overflow_status, fixed_as_gp)));

/* Counters that wrapped a moment ago, and STATUS bits that cannot be cleared. */
struct stuck {
    uint64_t just_wrapped, bits;
    uint32_t age; /* instructions for which just_wrapped is kept */
};
#define A_MOMENT 2 /* in instructions, including the one that wraps */

static void just_wrapped(struct model *m, uint64_t wrapped, uint64_t asking)
{
    struct stuck *stuck = memory(m, STATUS_STUCK_IF_DISABLED_AT_OVERFLOW, struct stuck);
    stuck->just_wrapped = wrapped;
    stuck->age = A_MOMENT;
    replaced(m, STATUS_STUCK_IF_DISABLED_AT_OVERFLOW, overflow_interrupts)(m, wrapped, asking);
}

static void moment_passes(struct model *m, const struct retired *instruction)
{
    struct stuck *stuck = memory(m, STATUS_STUCK_IF_DISABLED_AT_OVERFLOW, struct stuck);
    replaced(m, STATUS_STUCK_IF_DISABLED_AT_OVERFLOW, after_instruction)(m, instruction);
    if (stuck->age && !--stuck->age)
        stuck->just_wrapped = 0;
}

static void stopped_in_the_moment(struct model *m, uint64_t started, uint64_t stopped)
{
    struct stuck *stuck = memory(m, STATUS_STUCK_IF_DISABLED_AT_OVERFLOW, struct stuck);
    uint64_t bits = stopped & stuck->just_wrapped;
    if (bits && strikes(m, STATUS_STUCK_IF_DISABLED_AT_OVERFLOW))
        stuck->bits |= bits;
    replaced(m, STATUS_STUCK_IF_DISABLED_AT_OVERFLOW, counting_changed)(m, started, stopped);
}

static uint64_t all_but_stuck(struct model *m, uint64_t clear)
{
    uint64_t bits = memory(m, STATUS_STUCK_IF_DISABLED_AT_OVERFLOW, struct stuck)->bits;
    return replaced(m, STATUS_STUCK_IF_DISABLED_AT_OVERFLOW, status_cleared)(m, clear) & ~bits;
}

INSTEAD(each_matters, each_in_the_moment,
        memory(m, STATUS_STUCK_IF_DISABLED_AT_OVERFLOW, struct stuck)->age ||
            below(STATUS_STUCK_IF_DISABLED_AT_OVERFLOW, each_matters));
DEFECT(STATUS_STUCK_IF_DISABLED_AT_OVERFLOW, "status-stuck-if-disabled-at-overflow",
       "a counter stopped right after it wrapped leaves a STATUS bit that nothing clears",
       "BJ58, BV85, AAJ143, BV38; Nehalem to Ivy Bridge",
       MIMICS(ERRATUM("AAJ143", 0x106a5, 0x19, 0, 0), ERRATUM_ON("sandy-bridge", "BJ58", 0x206a7, 0x2f, 0, 0),
              ERRATUM_ON("sandy-bridge", "BV85", 0x306a9, 0x21, 0, 0)),
       STANDS_IN(FOR(overflow_interrupts, just_wrapped), FOR(after_instruction, moment_passes),
                 FOR(counting_changed, stopped_in_the_moment), FOR(status_cleared, all_but_stuck),
                 FOR(each_matters, each_in_the_moment)));

/* ---- Asking for a PMI */

static void raises_without_int(struct model *m, uint64_t wrapped, uint64_t asking)
{
    if (!asking && wrapped && strikes(m, PMI_WITHOUT_INT))
        asking = wrapped;
    replaced(m, PMI_WITHOUT_INT, overflow_interrupts)(m, wrapped, asking);
}
DEFECT(PMI_WITHOUT_INT, "pmi-without-int", "every overflow raises a PMI, INT or not", "class", ALSO_ON("lunar-lake"),
       STANDS_IN(FOR(overflow_interrupts, raises_without_int)));

static void gp_alone_raises(struct model *m, uint64_t wrapped, uint64_t asking)
{
    if (!(asking & MASK(31, 0)) && strikes(m, FIXED_PMI_LOST))
        asking = 0;
    replaced(m, FIXED_PMI_LOST, overflow_interrupts)(m, wrapped, asking);
}
DEFECT(FIXED_PMI_LOST, "fixed-pmi-lost", "fixed counters raise no PMI", "class of AAJ148", ALSO_ON("haswell"),
       STANDS_IN(FOR(overflow_interrupts, gp_alone_raises)));

/* ---- The counter of reference cycles takes a written value over with its own, slower clock */

#define REFERENCE_BIT BIT(32 + FIXED_REF_CYCLES)

struct sticky {
    bool acknowledged, written;
};

static uint64_t acknowledges(struct model *m, uint64_t clear)
{
    clear = replaced(m, REFERENCE_STICKY, status_cleared)(m, clear);
    memory(m, REFERENCE_STICKY, struct sticky)->acknowledged |= clear & m->status.bits & REFERENCE_BIT;
    return clear;
}

static bool written_late(struct model *m, unsigned i, uint64_t value)
{
    struct sticky *sticky = memory(m, REFERENCE_STICKY, struct sticky);
    sticky->written = sticky->acknowledged && i == FIXED_REF_CYCLES;
    return replaced(m, REFERENCE_STICKY, fixed_write)(m, i, value);
}

static void flips(struct model *m, const struct retired *instruction)
{
    struct sticky *sticky = memory(m, REFERENCE_STICKY, struct sticky);
    replaced(m, REFERENCE_STICKY, after_instruction)(m, instruction);
    if (!sticky->written || !(m->active.mask & REFERENCE_BIT))
        return;
    *sticky = (struct sticky){false, false};
    if (strikes(m, REFERENCE_STICKY))
        model_overflow(m, REFERENCE_BIT);
}

INSTEAD(each_matters, each_until_flipped,
        memory(m, REFERENCE_STICKY, struct sticky)->written || below(REFERENCE_STICKY, each_matters));
VARIATION(REFERENCE_STICKY, "reference-sticky",
          "the overflow bit of reference cycles, once cleared, is set again when the counter is written",
          "Intel's event lists of REF_TSC: its counter takes over written values with a slower clock",
          ALSO_ON("lunar-lake"),
          STANDS_IN(FOR(status_cleared, acknowledges), FOR(fixed_write, written_late), FOR(after_instruction, flips),
                    FOR(each_matters, each_until_flipped)));
