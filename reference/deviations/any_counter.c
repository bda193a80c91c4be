/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Deviations that any single counter may have: each is also shown on every counter by itself, which finds checks that
 * look at some counters only, or at one for all.
 */
#include "reference/deviations/stand_in.h"

/* Profiles with two kinds of cores, which have counters that the proof's default profile lacks. */
#define MANY_COUNTERS "lunar-lake"

/* ---- Counting */

DEFECT(counter_dead, INSTEAD(counted, true, 0), "a counter never counts", "class: one bad counter", EACH_COUNTER,
       ALSO_ON(MANY_COUNTERS), UNSEEN_ON("fixed4 fixed5 fixed6"),
       MEANT_FOR("gp.*,fixed.*,global.*,rdpmc.*,enum.events-count,freeze.gating,share.reclaim,share.stopped-first,"
                 "share.firmware-counter"));

/* Do all GP counters and any fixed counter of cycles count, so that none is left for another user? */
static bool all_at_once(const struct model *m)
{
    uint64_t all = width_mask(m->p.gp_count) | (m->p.fixed_bitmap & BIT(1)) << 32;
    return (m->active.mask & all) == all;
}

DEFECT(counters_held, INSTEAD(counted, parameter() >> c->bit & 1 && all_at_once(m), 0),
       "while all counters that can count cycles do, fixed counter 1 stands still",
       "KVM, whose host's NMI watchdog has a counter for itself", PARAMETER("mask", 1, UINT64_MAX, BIT(33)),
       MEANT_FOR("fixed.pairing,freeze.*,overflow.status,pmi.*"));

/* One counter is shared with another user in turn: it counts half of the time. */
DEFECT(counter_shared, INSTEAD(counted, c->bit == 0 && m->events.retired & 1 && all_at_once(m), 0),
       "while all counters that can count cycles do, IA32_PMC0 counts every second instruction",
       "class: hypervisors whose host takes turns", MEANT_FOR("fixed.pairing"));

struct sums {
    uint64_t of[64];
};

/* Counts one too many in 63, regardless of blocks: the difference of two blocks is off by one. */
STAND_IN(counter_drifts, counted)
{
    uint64_t *sum = &memory(struct sums)->of[c->bit], was = *sum, every = parameter();
    n = below(counted);
    *sum += n;
    return *sum / every != was / every && strikes() ? n + 1 : n;
}
DEFECT(counter_drifts, FUNCTIONS, "a counter counts one too many in 63", "class: an increment twice",
       PARAMETER("every", 2, 1000000, 63), EACH_COUNTER, ALSO_ON(MANY_COUNTERS),
       UNSEEN_ON("fixed1 fixed2 fixed3 fixed4 fixed5 fixed6"), MEANT_FOR("gp.*,fixed.*"));

/* ---- Values */

DEFECT(counter_bit_dead,
       ALL(CHANGED(gp_shown, true, good & ~BIT(parameter())), AFTER(fixed_read, good, *value &= ~BIT(parameter()))),
       "a bit of a counter reads 0", "class: one bad counter", PARAMETER("bit", 1, 63, 4), EACH_COUNTER,
       ALSO_ON(MANY_COUNTERS), MEANT_FOR("gp.*,fixed.*,overflow.*,access.*"));

static uint64_t shorted(struct at_work *self, struct model *m, uint64_t value)
{
    uint64_t bit = BIT(parameter());
    return (value & bit << 2) && strikes() ? value | bit : value;
}

DEFECT(counter_bits_shorted,
       ALL(IS(gp_shown, shorted(self, m, below(gp_shown))),
           NOTED(fixed_read, true, *value = good ? shorted(self, m, *value) : *value)),
       "a bit of a counter reads 1 if the next but one is 1", "class: two wires touch", PARAMETER("bit", 1, 45, 40),
       MEANT_FOR("gp.*,fixed.*,access.*"));
DEFECT(counter_write_lost, ALL(BOTH(INSTEAD, pmc_write, a_pmc_write, true, true), INSTEAD(fixed_write, true, true)),
       "a write to a counter has no effect", "class: a lost store", EACH_COUNTER, ALSO_ON(MANY_COUNTERS),
       MEANT_FOR("gp.*,fixed.*,overflow.*,access.*"), INTERMITTENT);
DEFECT(rdpmc_one_more, CHANGED(rdpmc_shown, true, good + 1), "RDPMC reads one more than the counter's MSR",
       "class: a second read path", EACH_COUNTER, ALSO_ON(MANY_COUNTERS), MEANT_FOR("rdpmc.*,gp.rdpmc,fixed.rdpmc"));
DEFECT(evtsel_bit_dead, CHANGED(evtsel_kept, true, good & ~BIT(parameter())), "a bit of an event select stays 0",
       "class: one bad counter", PARAMETER("bit", 1, 63, 20), EACH_COUNTER, ALSO_ON(MANY_COUNTERS),
       UNSEEN_ON("5 6 8 fixed0 fixed1 fixed2 fixed3 fixed4 fixed5 fixed6"), MEANT_FOR("access.*,gp.*,pmi.*"),
       NOT_BY(ERRATUM_ON("ice-lake", "BV80", 0x306a9, 0x21, 0, 1)));

/* ---- Enables and freezing */

DEFECT(global_enable_ignored, CHANGED(globally_enabled, true, good | all_counters(m)),
       "a counter counts whatever GLOBAL_CTRL and CTR_FRZ say", "class: a missing gate", EACH_COUNTER,
       ALSO_ON(MANY_COUNTERS), MEANT_FOR("global.*,freeze.*,gp.*,fixed.*"));
DEFECT(freeze_spares, INSTEAD(spared_by_freeze, true, all_counters(m)),
       "a counter that is enabled counts on while CTR_FRZ is set", "class of SKL90", EACH_COUNTER,
       ALSO_ON(MANY_COUNTERS), MEANT_FOR("freeze.*"));
DEFECT(ring_filter_ignored, ALL(BOTH(CHANGED, gp_rings, fixed_rings, good, RING_OS | RING_USR)),
       "a counter that is enabled for one ring counts in all", "class: a missing gate", EACH_COUNTER,
       ALSO_ON(MANY_COUNTERS), MEANT_FOR("gp.*,fixed.*,global.*"));
DEFECT(counter_dead_in_user, INSTEAD(ring_counts, ring == RING_USR, false), "a counter counts nothing at CPL 3",
       "class of BDM126", EACH_COUNTER, ALSO_ON(MANY_COUNTERS), UNSEEN_ON("fixed3 fixed4 fixed5 fixed6"),
       MEANT_FOR("gp.*,fixed.*,global.*"));

/* ---- Overflow */

DEFECT(overflow_unseen, INSTEAD(overflows_seen, true, 0), "a counter wraps without any sign", "class: one bad counter",
       EACH_COUNTER, ALSO_ON(MANY_COUNTERS), UNSEEN_ON("fixed4 fixed5"),
       MEANT_FOR("overflow.*,pmi.*,global.*,freeze.*"), INTERMITTENT);
DEFECT(overflow_asks_nothing, INSTEAD(overflows_asking, true, 0),
       "a counter wraps, and its interrupt enable has no effect", "class: one bad counter", EACH_COUNTER,
       ALSO_ON(MANY_COUNTERS), UNSEEN_ON("fixed4 fixed5"), MEANT_FOR("pmi.*,freeze.*,overflow.*"));
DEFECT(overflow_asks_anyhow, INSTEAD(overflows_asking, true, wrapped),
       "a counter that wraps asks for a PMI without its interrupt enable", "class: a missing gate", EACH_COUNTER,
       ALSO_ON(MANY_COUNTERS), UNSEEN_ON("fixed4 fixed5"), MEANT_FOR("pmi.*,overflow.*"));
DEFECT(counter_wraps_to_one, BEFORE(wrapped_value, true, sum++), "a counter's wrap adds one", "class: one bad counter",
       EACH_COUNTER, ALSO_ON(MANY_COUNTERS), UNSEEN_ON("fixed1 fixed2 fixed3 fixed4 fixed5 fixed6"),
       MEANT_FOR("overflow.*,gp.*,fixed.*,pmi.*"));

/* ---- STATUS and INUSE */

DEFECT(status_bit_stays, CHANGED(status_cleared, true, good & ~all_counters(m)),
       "a counter's STATUS bit cannot be cleared", "class: one bad bit", EACH_COUNTER, ALSO_ON(MANY_COUNTERS),
       MEANT_FOR("overflow.*,global.*,access.*"));
DEFECT(status_bit_not_set, CHANGED(status_set, true, good & ~all_counters(m)),
       "a counter's bit of STATUS_SET has no effect", "class: one bad bit", EACH_COUNTER, ALSO_ON(MANY_COUNTERS),
       MEANT_FOR("overflow.*,global.*,access.*"));
DEFECT(status_set_with_others, BEFORE(status_set, (set & all_counters(m)), set |= all_counters(m)),
       "setting another counter's bit of STATUS sets a counter's as well", "class: one bad bit", EACH_COUNTER,
       ALSO_ON(MANY_COUNTERS), MEANT_FOR("global.status-bits"));
DEFECT(status_cleared_with_others, BEFORE(status_cleared, (clear & all_counters(m)), clear |= all_counters(m)),
       "clearing another counter's bit of STATUS clears a counter's as well", "class: one bad bit", EACH_COUNTER,
       ALSO_ON(MANY_COUNTERS), MEANT_FOR("global.status-bits"));
DEFECT(status_bit_stuck, CHANGED(status_shown, true, good | all_counters(m)), "a counter's STATUS bit reads 1",
       "class: one bad bit", EACH_COUNTER, ALSO_ON(MANY_COUNTERS), MEANT_FOR("overflow.*,global.*,access.*"));
DEFECT(inuse_bit_dead, ALL(BOTH(INSTEAD, gp_in_use, fixed_in_use, true, false)), "a counter's INUSE bit reads 0",
       "class: one bad bit", EACH_COUNTER, ALSO_ON(MANY_COUNTERS), UNSEEN_ON("fixed3 fixed4 fixed5 fixed6"),
       MEANT_FOR("inuse.*,share.*"));
DEFECT(inuse_bit_stuck, ALL(BOTH(INSTEAD, gp_in_use, fixed_in_use, true, true)), "a counter's INUSE bit reads 1",
       "class: one bad bit", EACH_COUNTER, ALSO_ON(MANY_COUNTERS), MEANT_FOR("inuse.*,share.*"));

/* ---- Registers that do not answer */

DEFECT(counter_faults, ALL(BOTH(INSTEAD, pmc_read, evtsel_read, true, false), INSTEAD(fixed_read, true, false)),
       "RDMSR of a counter that is enumerated, and of its event select, is a #GP",
       "class: a counter fused off, its leaf not", EACH_COUNTER, ALSO_ON(MANY_COUNTERS),
       UNSEEN_ON("8 9 fixed3 fixed4 fixed5 fixed6"), MEANT_FOR("enum.registers"));
DEFECT(rdpmc_faults, INSTEAD(rdpmc_answers, true, false), "RDPMC of a counter that is enumerated is a #GP", "emulators",
       EACH_COUNTER, ALSO_ON(MANY_COUNTERS), MEANT_FOR("rdpmc.*"));
