/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Deviations that any single counter may have: each is also shown on every counter by itself, which finds checks that
 * look at some counters only, or at one for all.
 */
#include "reference/deviations/stand_in.h"

/* Profiles with two kinds of cores, which have counters that the proof's default profile lacks. */
#define MANY_COUNTERS "lunar-lake"

static uint64_t counters(const struct model *m)
{
    return width_mask(m->p.gp_count) | (uint64_t)m->p.fixed_bitmap << 32;
}

/* ---- Counting */

INSTEAD(counted, counts_nothing, strikes(m, COUNTER_DEAD) ? 0 : below(COUNTER_DEAD, counted));
DEFECT(COUNTER_DEAD, "counter-dead", "a counter never counts", "class: one bad counter", EACH_COUNTER,
       ALSO_ON(MANY_COUNTERS), UNSEEN_ON("fixed4 fixed5 fixed6"),
       MEANT_FOR("gp.*,fixed.*,global.*,rdpmc.*,enum.events-count,freeze.gating,share.reclaim,share.stopped-first,"
                 "share.firmware-counter"),
       STANDS_IN(FOR(counted, counts_nothing)));

/* Do all GP counters and any fixed counter of cycles count, so that none is left for another user? */
static bool all_at_once(const struct model *m)
{
    uint64_t all = width_mask(m->p.gp_count) | (m->p.fixed_bitmap & BIT(1)) << 32;
    return (m->active.mask & all) == all;
}

INSTEAD(counted, stands_still,
        parameter(m, COUNTERS_HELD) >> c->bit & 1 && all_at_once(m) && strikes(m, COUNTERS_HELD)
            ? 0
            : below(COUNTERS_HELD, counted));
DEFECT(COUNTERS_HELD, "counters-held", "while all counters that can count cycles do, fixed counter 1 stands still",
       "KVM, whose host's NMI watchdog has a counter for itself", PARAMETER("mask", 1, UINT64_MAX, BIT(33)),
       MEANT_FOR("fixed.pairing,freeze.*,overflow.status,pmi.*"), STANDS_IN(FOR(counted, stands_still)));

/* One counter is shared with another user in turn: it counts half of the time. */
static uint32_t every_second(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    bool turn = c->bit == 0 && m->events.retired & 1 && all_at_once(m) && strikes(m, COUNTER_SHARED);
    return turn ? 0 : replaced(m, COUNTER_SHARED, counted)(m, in, c, n);
}
DEFECT(COUNTER_SHARED, "counter-shared",
       "while all counters that can count cycles do, IA32_PMC0 counts every second instruction",
       "class: hypervisors whose host takes turns", MEANT_FOR("fixed.pairing"), STANDS_IN(FOR(counted, every_second)));

struct sums {
    uint64_t of[64];
};

/* Counts one too many in 63, regardless of blocks: the difference of two blocks is off by one. */
static uint32_t drifts(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    uint64_t *sum = &memory(m, COUNTER_DRIFTS, struct sums)->of[c->bit], was = *sum,
             every = parameter(m, COUNTER_DRIFTS);
    n = replaced(m, COUNTER_DRIFTS, counted)(m, in, c, n);
    *sum += n;
    return *sum / every != was / every && strikes(m, COUNTER_DRIFTS) ? n + 1 : n;
}
DEFECT(COUNTER_DRIFTS, "counter-drifts", "a counter counts one too many in 63", "class: an increment twice",
       PARAMETER("every", 2, 1000000, 63), EACH_COUNTER, ALSO_ON(MANY_COUNTERS),
       UNSEEN_ON("fixed1 fixed2 fixed3 fixed4 fixed5 fixed6"), MEANT_FOR("gp.*,fixed.*"),
       STANDS_IN(FOR(counted, drifts)));

/* ---- Values */

CHANGED(gp_shown, gp_bit_dead, COUNTER_BIT_DEAD,
        strikes(m, COUNTER_BIT_DEAD) ? good & ~BIT(parameter(m, COUNTER_BIT_DEAD)) : good);

static bool fixed_bit_dead(struct model *m, unsigned i, uint64_t *value)
{
    if (!replaced(m, COUNTER_BIT_DEAD, fixed_read)(m, i, value))
        return false;
    if (strikes(m, COUNTER_BIT_DEAD))
        *value &= ~BIT(parameter(m, COUNTER_BIT_DEAD));
    return true;
}
DEFECT(COUNTER_BIT_DEAD, "counter-bit-dead", "a bit of a counter reads 0", "class: one bad counter",
       PARAMETER("bit", 1, 63, 4), EACH_COUNTER, ALSO_ON(MANY_COUNTERS), MEANT_FOR("gp.*,fixed.*,overflow.*,access.*"),
       STANDS_IN(FOR(gp_shown, gp_bit_dead), FOR(fixed_read, fixed_bit_dead)));

static uint64_t shorted(struct model *m, uint64_t value)
{
    uint64_t bit = BIT(parameter(m, COUNTER_BITS_SHORTED));
    return (value & bit << 2) && strikes(m, COUNTER_BITS_SHORTED) ? value | bit : value;
}

INSTEAD(gp_shown, gp_bits_shorted, shorted(m, below(COUNTER_BITS_SHORTED, gp_shown)));

static bool fixed_bits_shorted(struct model *m, unsigned i, uint64_t *value)
{
    bool there = replaced(m, COUNTER_BITS_SHORTED, fixed_read)(m, i, value);
    *value = there ? shorted(m, *value) : *value;
    return there;
}
DEFECT(COUNTER_BITS_SHORTED, "counter-bits-shorted", "a bit of a counter reads 1 if the next but one is 1",
       "class: two wires touch", PARAMETER("bit", 1, 45, 40), MEANT_FOR("gp.*,fixed.*,access.*"),
       STANDS_IN(FOR(gp_shown, gp_bits_shorted), FOR(fixed_read, fixed_bits_shorted)));

INSTEAD(pmc_write, pmc_write_lost, strikes(m, COUNTER_WRITE_LOST) || below(COUNTER_WRITE_LOST, pmc_write));

INSTEAD(a_pmc_write, a_pmc_write_lost, strikes(m, COUNTER_WRITE_LOST) || below(COUNTER_WRITE_LOST, a_pmc_write));

INSTEAD(fixed_write, fixed_write_lost, strikes(m, COUNTER_WRITE_LOST) || below(COUNTER_WRITE_LOST, fixed_write));
DEFECT(COUNTER_WRITE_LOST, "counter-write-lost", "a write to a counter has no effect", "class: a lost store",
       EACH_COUNTER, ALSO_ON(MANY_COUNTERS), MEANT_FOR("gp.*,fixed.*,overflow.*,access.*"), INTERMITTENT,
       STANDS_IN(FOR(pmc_write, pmc_write_lost), FOR(a_pmc_write, a_pmc_write_lost),
                 FOR(fixed_write, fixed_write_lost)));

INSTEAD(rdpmc_shown, rdpmc_one_more, below(RDPMC_ONE_MORE, rdpmc_shown) + strikes(m, RDPMC_ONE_MORE));
DEFECT(RDPMC_ONE_MORE, "rdpmc-one-more", "RDPMC reads one more than the counter's MSR", "class: a second read path",
       EACH_COUNTER, ALSO_ON(MANY_COUNTERS), MEANT_FOR("rdpmc.*,gp.rdpmc,fixed.rdpmc"),
       STANDS_IN(FOR(rdpmc_shown, rdpmc_one_more)));

CHANGED(evtsel_kept, evtsel_bit_dead, EVTSEL_BIT_DEAD,
        strikes(m, EVTSEL_BIT_DEAD) ? good & ~BIT(parameter(m, EVTSEL_BIT_DEAD)) : good);
DEFECT(EVTSEL_BIT_DEAD, "evtsel-bit-dead", "a bit of an event select stays 0", "class: one bad counter",
       PARAMETER("bit", 1, 63, 20), EACH_COUNTER, ALSO_ON(MANY_COUNTERS),
       UNSEEN_ON("5 6 8 fixed0 fixed1 fixed2 fixed3 fixed4 fixed5 fixed6"), MEANT_FOR("access.*,gp.*,pmi.*"),
       NOT_BY(ERRATUM_ON("ice-lake", "BV80", 0x306a9, 0x21, 0, 1)), STANDS_IN(FOR(evtsel_kept, evtsel_bit_dead)));

/* ---- Enables and freezing */

CHANGED(globally_enabled, enabled_anyhow, GLOBAL_ENABLE_IGNORED,
        strikes(m, GLOBAL_ENABLE_IGNORED) ? good | counters(m) : good);
DEFECT(GLOBAL_ENABLE_IGNORED, "global-enable-ignored", "a counter counts whatever GLOBAL_CTRL and CTR_FRZ say",
       "class: a missing gate", EACH_COUNTER, ALSO_ON(MANY_COUNTERS), MEANT_FOR("global.*,freeze.*,gp.*,fixed.*"),
       STANDS_IN(FOR(globally_enabled, enabled_anyhow)));

INSTEAD(spared_by_freeze, all_spared, strikes(m, FREEZE_SPARES) ? counters(m) : below(FREEZE_SPARES, spared_by_freeze));
DEFECT(FREEZE_SPARES, "freeze-spares", "a counter that is enabled counts on while CTR_FRZ is set", "class of SKL90",
       EACH_COUNTER, ALSO_ON(MANY_COUNTERS), MEANT_FOR("freeze.*"), STANDS_IN(FOR(spared_by_freeze, all_spared)));

CHANGED(gp_rings, gp_in_all_rings, RING_FILTER_IGNORED,
        (good && strikes(m, RING_FILTER_IGNORED)) ? RING_OS | RING_USR : good);

CHANGED(fixed_rings, fixed_in_all_rings, RING_FILTER_IGNORED,
        (good && strikes(m, RING_FILTER_IGNORED)) ? RING_OS | RING_USR : good);
DEFECT(RING_FILTER_IGNORED, "ring-filter-ignored", "a counter that is enabled for one ring counts in all",
       "class: a missing gate", EACH_COUNTER, ALSO_ON(MANY_COUNTERS), MEANT_FOR("gp.*,fixed.*,global.*"),
       STANDS_IN(FOR(gp_rings, gp_in_all_rings), FOR(fixed_rings, fixed_in_all_rings)));

INSTEAD(ring_counts, not_in_user,
        ring == RING_USR && strikes(m, COUNTER_DEAD_IN_USER) ? false : below(COUNTER_DEAD_IN_USER, ring_counts));
DEFECT(COUNTER_DEAD_IN_USER, "counter-dead-in-user", "a counter counts nothing at CPL 3", "class of BDM126",
       EACH_COUNTER, ALSO_ON(MANY_COUNTERS), UNSEEN_ON("fixed3 fixed4 fixed5 fixed6"),
       MEANT_FOR("gp.*,fixed.*,global.*"), STANDS_IN(FOR(ring_counts, not_in_user)));

/* ---- Overflow */

INSTEAD(overflows_seen, wrap_unseen, strikes(m, OVERFLOW_UNSEEN) ? 0 : below(OVERFLOW_UNSEEN, overflows_seen));
DEFECT(OVERFLOW_UNSEEN, "overflow-unseen", "a counter wraps without any sign", "class: one bad counter", EACH_COUNTER,
       ALSO_ON(MANY_COUNTERS), UNSEEN_ON("fixed4 fixed5"), MEANT_FOR("overflow.*,pmi.*,global.*,freeze.*"),
       INTERMITTENT, STANDS_IN(FOR(overflows_seen, wrap_unseen)));

INSTEAD(overflows_asking, asks_nothing,
        strikes(m, OVERFLOW_ASKS_NOTHING) ? 0 : below(OVERFLOW_ASKS_NOTHING, overflows_asking));
DEFECT(OVERFLOW_ASKS_NOTHING, "overflow-asks-nothing", "a counter wraps, and its interrupt enable has no effect",
       "class: one bad counter", EACH_COUNTER, ALSO_ON(MANY_COUNTERS), UNSEEN_ON("fixed4 fixed5"),
       MEANT_FOR("pmi.*,freeze.*,overflow.*"), STANDS_IN(FOR(overflows_asking, asks_nothing)));

INSTEAD(overflows_asking, asks_anyhow,
        strikes(m, OVERFLOW_ASKS_ANYHOW) ? wrapped : below(OVERFLOW_ASKS_ANYHOW, overflows_asking));
DEFECT(OVERFLOW_ASKS_ANYHOW, "overflow-asks-anyhow", "a counter that wraps asks for a PMI without its interrupt enable",
       "class: a missing gate", EACH_COUNTER, ALSO_ON(MANY_COUNTERS), UNSEEN_ON("fixed4 fixed5"),
       MEANT_FOR("pmi.*,overflow.*"), STANDS_IN(FOR(overflows_asking, asks_anyhow)));

INSTEAD(wrapped_value, wraps_to_one,
        replaced(m, COUNTER_WRAPS_TO_ONE, wrapped_value)(m, c, sum + strikes(m, COUNTER_WRAPS_TO_ONE)));
DEFECT(COUNTER_WRAPS_TO_ONE, "counter-wraps-to-one", "a counter's wrap adds one", "class: one bad counter",
       EACH_COUNTER, ALSO_ON(MANY_COUNTERS), UNSEEN_ON("fixed1 fixed2 fixed3 fixed4 fixed5 fixed6"),
       MEANT_FOR("overflow.*,gp.*,fixed.*,pmi.*"), STANDS_IN(FOR(wrapped_value, wraps_to_one)));

/* ---- STATUS and INUSE */

CHANGED(status_cleared, not_cleared, STATUS_BIT_STAYS, strikes(m, STATUS_BIT_STAYS) ? good & ~counters(m) : good);
DEFECT(STATUS_BIT_STAYS, "status-bit-stays", "a counter's STATUS bit cannot be cleared", "class: one bad bit",
       EACH_COUNTER, ALSO_ON(MANY_COUNTERS), MEANT_FOR("overflow.*,global.*,access.*"),
       STANDS_IN(FOR(status_cleared, not_cleared)));

CHANGED(status_set, not_set, STATUS_BIT_NOT_SET, strikes(m, STATUS_BIT_NOT_SET) ? good & ~counters(m) : good);
DEFECT(STATUS_BIT_NOT_SET, "status-bit-not-set", "a counter's bit of STATUS_SET has no effect", "class: one bad bit",
       EACH_COUNTER, ALSO_ON(MANY_COUNTERS), MEANT_FOR("overflow.*,global.*,access.*"),
       STANDS_IN(FOR(status_set, not_set)));

static uint64_t set_with_others(struct model *m, uint64_t set)
{
    if ((set & counters(m)) && strikes(m, STATUS_SET_WITH_OTHERS))
        set |= counters(m);
    return replaced(m, STATUS_SET_WITH_OTHERS, status_set)(m, set);
}
DEFECT(STATUS_SET_WITH_OTHERS, "status-set-with-others",
       "setting another counter's bit of STATUS sets a counter's as well", "class: one bad bit", EACH_COUNTER,
       ALSO_ON(MANY_COUNTERS), MEANT_FOR("global.status-bits"), STANDS_IN(FOR(status_set, set_with_others)));

static uint64_t cleared_with_others(struct model *m, uint64_t clear)
{
    if ((clear & counters(m)) && strikes(m, STATUS_CLEARED_WITH_OTHERS))
        clear |= counters(m);
    return replaced(m, STATUS_CLEARED_WITH_OTHERS, status_cleared)(m, clear);
}
DEFECT(STATUS_CLEARED_WITH_OTHERS, "status-cleared-with-others",
       "clearing another counter's bit of STATUS clears a counter's as well", "class: one bad bit", EACH_COUNTER,
       ALSO_ON(MANY_COUNTERS), MEANT_FOR("global.status-bits"), STANDS_IN(FOR(status_cleared, cleared_with_others)));

CHANGED(status_shown, shown_set, STATUS_BIT_STUCK, strikes(m, STATUS_BIT_STUCK) ? good | counters(m) : good);
DEFECT(STATUS_BIT_STUCK, "status-bit-stuck", "a counter's STATUS bit reads 1", "class: one bad bit", EACH_COUNTER,
       ALSO_ON(MANY_COUNTERS), MEANT_FOR("overflow.*,global.*,access.*"), STANDS_IN(FOR(status_shown, shown_set)));

INSTEAD(gp_in_use, gp_never_used, !strikes(m, INUSE_BIT_DEAD) && below(INUSE_BIT_DEAD, gp_in_use));

INSTEAD(fixed_in_use, fixed_never_used, !strikes(m, INUSE_BIT_DEAD) && below(INUSE_BIT_DEAD, fixed_in_use));
DEFECT(INUSE_BIT_DEAD, "inuse-bit-dead", "a counter's INUSE bit reads 0", "class: one bad bit", EACH_COUNTER,
       ALSO_ON(MANY_COUNTERS), UNSEEN_ON("fixed3 fixed4 fixed5 fixed6"), MEANT_FOR("inuse.*,share.*"),
       STANDS_IN(FOR(gp_in_use, gp_never_used), FOR(fixed_in_use, fixed_never_used)));

INSTEAD(gp_in_use, gp_always_used, strikes(m, INUSE_BIT_STUCK) || below(INUSE_BIT_STUCK, gp_in_use));

INSTEAD(fixed_in_use, fixed_always_used, strikes(m, INUSE_BIT_STUCK) || below(INUSE_BIT_STUCK, fixed_in_use));
DEFECT(INUSE_BIT_STUCK, "inuse-bit-stuck", "a counter's INUSE bit reads 1", "class: one bad bit", EACH_COUNTER,
       ALSO_ON(MANY_COUNTERS), MEANT_FOR("inuse.*,share.*"),
       STANDS_IN(FOR(gp_in_use, gp_always_used), FOR(fixed_in_use, fixed_always_used)));

/* ---- Registers that do not answer */

INSTEAD(pmc_read, gp_faults, !strikes(m, COUNTER_FAULTS) && below(COUNTER_FAULTS, pmc_read));

INSTEAD(evtsel_read, evtsel_faults, !strikes(m, COUNTER_FAULTS) && below(COUNTER_FAULTS, evtsel_read));

INSTEAD(fixed_read, fixed_faults, !strikes(m, COUNTER_FAULTS) && below(COUNTER_FAULTS, fixed_read));
DEFECT(COUNTER_FAULTS, "counter-faults", "RDMSR of a counter that is enumerated, and of its event select, is a #GP",
       "class: a counter fused off, its leaf not", EACH_COUNTER, ALSO_ON(MANY_COUNTERS),
       UNSEEN_ON("8 9 fixed3 fixed4 fixed5 fixed6"), MEANT_FOR("enum.registers"),
       STANDS_IN(FOR(pmc_read, gp_faults), FOR(evtsel_read, evtsel_faults), FOR(fixed_read, fixed_faults)));

INSTEAD(rdpmc_answers, rdpmc_faults, !strikes(m, RDPMC_FAULTS) && below(RDPMC_FAULTS, rdpmc_answers));
DEFECT(RDPMC_FAULTS, "rdpmc-faults", "RDPMC of a counter that is enumerated is a #GP", "emulators", EACH_COUNTER,
       ALSO_ON(MANY_COUNTERS), MEANT_FOR("rdpmc.*"), STANDS_IN(FOR(rdpmc_answers, rdpmc_faults)));
