/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of overflow: the value after it, which STATUS bit is set, and what asks for a PMI. */
#define CHAPTERS "overflow.*,global.*,freeze.*,pmi.*,share.*"
#include "reference/deviations/stand_in.h"

/* ---- The counter */

DEFECT(overflow_adds_one, BEFORE(wrapped_value, true, sum += 1), "the wrap adds one to the counter",
       "old KVM emulation",
       NOT_BY(ERRATUM("AAJ107", 0x106a5, 0x19, 0, 0), ERRATUM_ON("sandy-bridge", "BJ136", 0x206a7, 0x2f, 0, 0),
              ERRATUM_ON("haswell", "HSD143", 0x306c3, 0x28, 0, 2)));

DEFECT(overflow_wrong_value, BEFORE(wrapped_value, true, sum = parameter()),
       "a counter that wraps goes on from 100H, not from 0", "class: a reload nobody asked for",
       PARAMETER("value", 1, 0xffffffff, 0x100));

/* Counters that have just wrapped. Events in the same clock as the wrap are seen here with the next instruction. */
struct wrapped_now {
    bool bit[64];
};

STAND_IN(wrap_loses_rest, wrapped_value)
{
    bool here = strikes();
    memory(struct wrapped_now)->bit[c->bit] = here;
    return replaced(wrapped_value)(m, c, here ? 0 : sum);
}

STAND_IN(wrap_loses_rest, counted)
{
    bool *now = &memory(struct wrapped_now)->bit[c->bit];
    n = below(counted);
    bool lost = n && *now;
    *now = *now && !lost;
    return lost ? 0 : n;
}
DEFECT(wrap_loses_rest, FUNCTIONS,
       "a counter that wraps becomes 0, and misses everything else that retires in the same clock",
       "class: an increment of more than one", MEANT_FOR("overflow.*"),
       HIDDEN("nehalem", "AAJ107 names no rate: counts may be as much too low each time"));
DEFECT(status_not_at_cpl_3, INSTEAD(overflow_status, caused_by_user(m), 0), "a wrap at CPL 3 sets no STATUS bit",
       "class: seen by who traces users", ALSO_ON("sandy-bridge"), MEANT_FOR("overflow.*,pmi.*"));
DEFECT(pmi_without_int_at_cpl_3,
       AFTER(overflow_interrupts, !asking && wrapped && caused_by_user(m), rule(m, pmi_raise)(m)),
       "a wrap at CPL 3 raises a PMI that is not enabled", "class: one enable for two rings", MEANT_FOR("pmi.*"));
DEFECT(pmi_without_int_beside_others, BEFORE(overflow_interrupts, m->active.count > 1, asking = wrapped),
       "a wrap while several counters count raises a PMI that is not enabled", "class: one enable for all of them",
       MEANT_FOR("pmi.without-int"), ALSO_ON("silvermont"));
DEFECT(pmi_lost_of_fixed_by_nmi_at_cpl_3,
       LOST(overflow_interrupts,
            !(!(!(asking & MASK(31, 0)) && caused_by_user(m) && comes_as_nmi(m) && m->active.count > 1))),
       "a fixed counter that wraps at CPL 3 beside others raises no NMI", "class: a corner of four conditions",
       MEANT_FOR("pmi.*"));
DEFECT(stops_at_overflow,
       BEFORE(overflow_interrupts, true, m->controls.stored[STORED_GLOBAL_CTRL] &= ~wrapped; mark_stale(m)),
       "a counter that wraps clears its own GLOBAL_CTRL bit", "class: freeze without request");

/* STATUS already has the bits of the counters that wrap now. */
DEFECT(overflow_asks_alone,
       BEFORE(overflow_interrupts, (m->status.bits & ~wrapped & (MASK(31, 0) | MASK(47, 32))), asking = 0),
       "no PMI comes while another counter's overflow bit stands", "class: one level for all of them",
       MEANT_FOR("pmi.*"), ALSO_ON("lunar-lake", "silvermont"));
DEFECT(overflow_status_replaces, BEFORE(overflow_status, asking, m->status.bits &= ~(MASK(31, 0) | MASK(47, 32))),
       "an overflow that asks for a PMI clears the bits of those before", "class: a register written, not or'ed into",
       MEANT_FOR("pmi.*"), ALSO_ON("lunar-lake", "silvermont"));

/* ---- Wraps that affect the other thread */

static void hand_over(struct model *m, uint64_t wrapped)
{
    for (unsigned n = 0; n < GP_MAX; n++)
        if (wrapped >> n & 1)
            __atomic_store_n(&m->sharing.beside->handed[!(m->cpu % 2)][n], 1, __ATOMIC_RELEASE);
}

STAND_IN(status_also_on_thread, status_shown)
{
    uint64_t status = below(status_shown);
    for (unsigned n = 0; n < GP_MAX; n++)
        if (__atomic_load_n(&m->sharing.beside->handed[m->cpu % 2][n], __ATOMIC_ACQUIRE))
            status |= STATUS_GP(n);
    return status;
}

STAND_IN(status_also_on_thread, status_cleared)
{
    for (unsigned n = 0; n < GP_MAX; n++)
        if (clear & STATUS_GP(n))
            __atomic_store_n(&m->sharing.beside->handed[m->cpu % 2][n], 0, __ATOMIC_RELEASE);
    return below(status_cleared);
}
DEFECT(status_also_on_thread, ALL(BEFORE(overflow_status, (wrapped & MASK(31, 0)), hand_over(m, wrapped)), FUNCTIONS),
       "a GP counter's wrap sets the STATUS bit of that number on the other thread as well", "class: AnyThread routing",
       ON("haswell"), PREPARED(deviation_with_threads));

/* ---- Wraps that are missed */

STAND_IN(close_fixed_overflows_dropped, overflows_seen)
{
    uint64_t fixed = wrapped & MASK(63, 32);
    uint64_t all_but_lowest = fixed & (fixed - 1);
    if (all_but_lowest && freezes(m) && strikes())
        wrapped &= ~all_but_lowest;
    return below(overflows_seen);
}
DEFECT(close_fixed_overflows_dropped, FUNCTIONS,
       "with DEBUGCTL[12], of fixed counters that wrap together only the lowest is flagged",
       "AAJ148, BJ74; Nehalem to Ivy Bridge",
       MIMICS(ERRATUM("AAJ148", 0x106a5, 0x19, 0, 0), ERRATUM_ON("sandy-bridge", "BJ74", 0x206a7, 0x2f, 0, 0),
              ERRATUM_ON("sandy-bridge", "BV72", 0x306a9, 0x21, 0, 0)));
DEFECT(last_gp_overflow_lost, BEFORE(overflows_seen, true, wrapped &= ~STATUS_GP(m->p.gp_count - 1)),
       "the last GP counter wraps without any sign", "class: one bad counter", ALSO_ON("silvermont"));
DEFECT(fixed_overflow_lost, BEFORE(overflows_seen, true, wrapped &= MASK(31, 0)),
       "fixed counters wrap without any sign", "class of AAJ148", NOT_BY(ERRATUM("AAJ148", 0x106a5, 0x19, 0, 0)));
DEFECT(simultaneous_overflow_lost, BEFORE(overflows_seen, true, wrapped &= -wrapped),
       "of counters that wrap together only the lowest is flagged", "AAJ148, BJ74", INTERMITTENT);

/* The last wrap, and for how many more instructions it hides other wraps. */
#define HIDES 8
struct wrap_before {
    uint64_t wrapped;
    unsigned left;
};

STAND_IN(second_overflow_lost, overflows_seen)
{
    struct wrap_before *before = memory(struct wrap_before);
    if (before->left && strikes())
        wrapped &= before->wrapped;
    if (wrapped)
        *before = (struct wrap_before){wrapped, HIDES + 1};
    return below(overflows_seen);
}

DEFECT(second_overflow_lost,
       ALL(NOTES(after_instruction, true, memory(struct wrap_before)->left -= !!memory(struct wrap_before)->left),
           IS(each_matters, memory(struct wrap_before)->left || below(each_matters)), FUNCTIONS),
       "a counter that wraps up to eight instructions after another one is not flagged", "class of AAJ148",
       MEANT_FOR("overflow.*,pmi.*"), NOT_BY(ERRATUM("AAJ148", 0x106a5, 0x19, 0, 0)));

/* Did counters wrap exactly so many instructions ago, and again now? */
static bool wraps_after(uint64_t *last, const struct model *m, uint64_t distance)
{
    uint64_t since = m->events.retired - *last;
    *last = m->events.retired;
    return since == distance;
}

DEFECT(seventh_after_overflow_lost,
       INSTEAD(overflows_seen, wrapped && (wraps_after(memory(uint64_t), m, parameter())), 0),
       "a counter that wraps seven instructions after another one is not flagged", "class: a pipeline of seven stages",
       MEANT_FOR("overflow.*,pmi.*"), PARAMETER("instructions", 1, 64, 7));

STAND_IN(overflow_513_lost, overflows_seen)
{
    uint64_t *seen = memory(uint64_t), every = parameter();
    for (uint64_t left = wrapped; left; left &= left - 1)
        if (++*seen % every == 0 && strikes())
            wrapped &= ~(left & -left);
    return below(overflows_seen);
}
DEFECT(overflow_513_lost, FUNCTIONS, "each 513th overflow leaves no sign", "class: a queue that runs full",
       PARAMETER("every", 2, 1000000, 513));

/* ---- Carries taken for wraps */

/* A carry into this bit sets the counter's STATUS bit. */
static void flag_carry(struct model *m, const struct counting *c, uint32_t n, unsigned bit)
{
    if ((*c->value + n) >> bit != *c->value >> bit && *c->value + n <= c->limit)
        m->status.bits |= BIT(c->bit);
}

DEFECT(overflow_at_sign, AFTER(counted, c->bit < 32, flag_carry(m, c, good, m->p.gp_width - 1u)),
       "a GP counter that carries into its highest bit sets its STATUS bit", "class: a signed overflow",
       MEANT_FOR("overflow.edges"));
DEFECT(fixed_overflow_at_half, AFTER(counted, c->bit >= 32, flag_carry(m, c, good, 32)),
       "a fixed counter that carries out of its lower 32 bits sets its STATUS bit", "class: a counter in parts",
       MEANT_FOR("fixed.carry,overflow.edges"));

/* ---- STATUS bits */

DEFECT(status_not_set_without_int, INSTEAD(overflow_status, true, asking),
       "a wrap without the interrupt bit leaves STATUS clear", "emulators that look at overflow only for PMIs");
DEFECT(status_not_set_with_int, CHANGED(overflow_status, true, good & ~asking),
       "a wrap with the interrupt bit leaves STATUS clear", "class: the PMI consumes the bit", ALSO_ON("lunar-lake"));

/* The neighbour's bit; for the last counter that of the first. */
STAND_IN(status_wrong_bit, overflow_status)
{
    uint64_t gp = wrapped & MASK(31, 0), fixed = wrapped & MASK(63, 32);
    if (gp && strikes())
        return fixed | (gp << 1 & width_mask(m->p.gp_count)) | gp >> (m->p.gp_count - 1);
    return below(overflow_status);
}
DEFECT(status_wrong_bit, FUNCTIONS, "a GP counter's wrap sets its neighbour's STATUS bit", "class");

DEFECT(fixed_status_in_gp_bits, INSTEAD(overflow_status, wrapped >> 32, (wrapped & MASK(31, 0)) | wrapped >> 32),
       "fixed counter i sets STATUS bit i, not 32 + i", "emulators");

/* Counters that wrapped a moment ago, and STATUS bits that cannot be cleared. */
struct stuck {
    uint64_t just_wrapped, bits;
    uint32_t age; /* instructions for which just_wrapped is kept */
};
#define A_MOMENT 2 /* in instructions, including the one that wraps */

DEFECT(status_stuck_if_disabled_at_overflow,
       ALL(NOTES(overflow_interrupts, true, memory(struct stuck)->just_wrapped = wrapped;
                 memory(struct stuck)->age = A_MOMENT),
           NOTED(after_instruction, memory(struct stuck)->age && !--memory(struct stuck)->age,
                 memory(struct stuck)->just_wrapped = 0),
           IS(status_cleared, below(status_cleared) & ~(memory(struct stuck)->bits)),
           IS(each_matters, memory(struct stuck)->age || below(each_matters)),
           BEFORE(counting_changed, (stopped & memory(struct stuck)->just_wrapped),
                  memory(struct stuck)->bits |= (stopped & memory(struct stuck)->just_wrapped))),
       "a counter stopped right after it wrapped leaves a STATUS bit that nothing clears",
       "BJ58, BV85, AAJ143, BV38; Nehalem to Ivy Bridge",
       MIMICS(ERRATUM("AAJ143", 0x106a5, 0x19, 0, 0), ERRATUM_ON("sandy-bridge", "BJ58", 0x206a7, 0x2f, 0, 0),
              ERRATUM_ON("sandy-bridge", "BV85", 0x306a9, 0x21, 0, 0)));

/* ---- Asking for a PMI */

DEFECT(pmi_without_int, BEFORE(overflow_interrupts, !asking && wrapped, asking = wrapped),
       "every overflow raises a PMI, INT or not", "class", ALSO_ON("lunar-lake"));
DEFECT(fixed_pmi_lost, BEFORE(overflow_interrupts, !(asking & MASK(31, 0)), asking = 0), "fixed counters raise no PMI",
       "class of AAJ148", ALSO_ON("haswell"));

/* ---- The counter of reference cycles takes a written value over with its own, slower clock */

#define REFERENCE_BIT BIT(32 + FIXED_REF_CYCLES)

struct sticky {
    bool acknowledged, written;
};

STAND_IN(reference_sticky, after_instruction)
{
    struct sticky *sticky = memory(struct sticky);
    below(after_instruction);
    if (!sticky->written || !(m->active.mask & REFERENCE_BIT))
        return;
    *sticky = (struct sticky){false, false};
    if (strikes())
        model_overflow(m, REFERENCE_BIT);
}

VARIATION(reference_sticky,
          ALL(NOTED(status_cleared, true, memory(struct sticky)->acknowledged |= good & m->status.bits & REFERENCE_BIT),
              NOTES(fixed_write, true,
                    memory(struct sticky)->written = memory(struct sticky)->acknowledged && i == FIXED_REF_CYCLES),
              IS(each_matters, memory(struct sticky)->written || below(each_matters)), FUNCTIONS),
          "the overflow bit of reference cycles, once cleared, is set again when the counter is written",
          "Intel's event lists of REF_TSC: its counter takes over written values with a slower clock",
          ALSO_ON("lunar-lake"));
