/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of PEBS: which counters sample, how they are armed, and what happens when they stop. */
#define CHAPTERS "pebs.*,netburst.*"
#include "reference/deviations/stand_in.h"

#define FAR_AWAY 0x10000 /* far enough from the right address */

/* ---- Which counters sample */

DEFECT(pebs_last_gp_dead, CHANGED(pebs_capable, good && (c->bit < 32 && m->p.pebs_gp >> c->bit == 1), false),
       "the last GP counter that can sample does not", "class: one bad counter");

/* Adds instructions to the listed events. */
static void lists_instructions(struct model *m)
{
    unsigned last = 0;
    while (last + 2 < PEBS_EVENTS_MAX && m->p.pebs_events[last])
        last++;
    m->p.pebs_events[last] = ARCH_EVENT_INSTRUCTIONS;
}
VARIATION(pebs_unlisted_samples, NO_RULE, "instructions are sampled though they are not listed",
          "drivers sample them on Silvermont", ON("silvermont"), PREPARED(lists_instructions));
DEFECT(pebs_unlisted_advances_little,
       THEN(pebs_advance, (m->controls.evtsel[0] & MASK(15, 0)) == ARCH_EVENT_INSTRUCTIONS, good = 8),
       "a record of an event that is not listed advances the index by 8", "class", ON("silvermont"),
       PREPARED(lists_instructions));
DEFECT(pebs_fixed_dead, CHANGED(pebs_capable, good && c->bit >= 32, false), "fixed counters do not sample",
       "hypervisors without the baseline", ON("ice-lake"));
DEFECT(pebs_ignores_cpl, AFTER(pebs_capable, good, c->rings = RING_OS | RING_USR),
       "a sampling counter counts in both rings, whatever OS and USR say", "AJ67, AR63, W126; Core 2",
       ALSO_ON("ice-lake"), MIMICS(ERRATUM("AJ67", 0x6f7, 0x6a, 0, 0), ERRATUM("AR63", 0x10661, 0x43, 0, 0)));
DEFECT(pebs_without_enable, CHANGED(pebs_enabled, !good, BIT(bit)),
       "counters sample without their bit of IA32_PEBS_ENABLE, given a DS area", "class");

/* Has this counter no event select, but its bit of IA32_PEBS_ENABLE? */
static bool enabled_alone(const struct model *m, unsigned n, uint64_t evtsel)
{
    return !evtsel && (m->controls.stored[STORED_PEBS_ENABLE] & PEBS_GP(n));
}

DEFECT(pebs_without_event,
       ALL(IS(gp_enabled, !evtsel || below(gp_enabled)),
           IS(selected_event, enabled_alone(m, n, evtsel) ? EVENT_INSTRUCTIONS : below(selected_event)),
           INSTEAD(gp_rings, enabled_alone(m, n, evtsel), RING_OS),
           CHANGED(pebs_capable,
                   !good && ((c->bit < 32 && !m->p.netburst_count && (m->p.pebs_gp >> c->bit & 1)) &&
                             !(m->controls.evtsel[c->bit] & MASK(15, 0)) &&
                             (m->controls.stored[STORED_PEBS_ENABLE] & PEBS_GP(c->bit))),
                   true)),
       "with its bit of IA32_PEBS_ENABLE, a counter without an event select samples instructions", "class");

/* Counters that have sampled since IA32_DS_AREA was written. */
STAND_IN(pebs_enable_sticky, pebs_sampling)
{
    uint64_t sampling = below(pebs_sampling);
    uint64_t again = noted & m->active.mask & ~sampling;
    if (again && !m->controls.stored[STORED_PEBS_ENABLE] && strikes())
        sampling |= again;
    noted |= sampling;
    return sampling;
}
DEFECT(pebs_enable_sticky, ALL(NOTES(stored_kept, which == STORED_DS_AREA, noted = 0), FUNCTIONS),
       "clearing IA32_PEBS_ENABLE does not end the sampling, writing IA32_DS_AREA does", "class", ALSO_ON("ice-lake"));
DEFECT(pebs_disabled_loses_overflow,
       ALL(NOTES(stored_kept, which == STORED_DS_AREA, noted = 0), NOTED(pebs_sampling, true, noted |= good),
           BEFORE(overflows_seen, (wrapped & (noted & ~m->pebs.sampling)), wrapped &= ~(noted & ~m->pebs.sampling))),
       "a counter that sampled, and counts with PEBS disabled, overflows without a sign", "class", ALSO_ON("ice-lake"));

/* ---- Arming */

DEFECT(pebs_no_record, INSTEAD(pebs_arms, true, false), "an overflow does not arm PEBS",
       "class: the assist switched off by microcode", ALSO_ON("ice-lake", "lunar-lake", "sapphire-rapids"));

STAND_IN(pebs_record_at_start, pebs_changed)
{
    uint64_t started = m->pebs.sampling & ~was;
    below(pebs_changed);
    if (started && strikes())
        model_pebs_arm_now(m, started);
}
DEFECT(pebs_record_at_start, FUNCTIONS, "a counter that starts to sample is armed, as if it had overflowed", "class",
       ALSO_ON("ice-lake", "lunar-lake", "sapphire-rapids"));
VARIATION(pebs_skid_one_more, CHANGED(pebs_shadow, !precise, good + 1), "arming takes one instruction more",
          "HSD110; Haswell");
VARIATION(pebs_skid_longer, CHANGED(pebs_shadow, !precise, (uint8_t)(good + parameter())),
          "arming takes eight instructions more", "hypervisors that watch the buffer: 3 to 8 until a record is written",
          PARAMETER("more", 1, 32, 8), ALSO_ON("nehalem", "sandy-bridge", "ice-lake", "conroe"));

/* ---- The precise distribution is imprecise. */

static uint8_t imprecise(const struct model *m)
{
    return (uint8_t)(m->pebs.arms * 3 % 5); /* by a different number each time */
}

DEFECT(pdist_jitters, CHANGED(pebs_shadow, precise, imprecise(m)),
       "with the precise distribution records are not equally far apart", "class of BJ103", ON("sapphire-rapids"),
       ALSO_ON("lunar-lake"));
VARIATION(pdir_biased, CHANGED(pebs_shadow, precise, imprecise(m)),
          "with the older PDIR records are a few instructions late, and not by as many",
          "a driver's author on Ice Lake servers; KVM names instruction-accurate only what came after",
          ALSO_ON("sandy-bridge", "ice-lake", "tremont"));
VARIATION(pdist_one_late, INSTEAD(pebs_shadow, precise && m->pebs.arms % 11 == 0, 1),
          "one record of eleven of the precise distribution is an instruction late",
          "a driver's author on Sapphire Rapids: near an interrupt", ON("sapphire-rapids"), ALSO_ON("lunar-lake"));

/* Is the reset value closer to the end than this? Software may write it in full width or cut to the counter's. */
static bool short_period(struct model *m, uint64_t area, unsigned bit, uint64_t most)
{
    uint64_t reset = 0;
    model_pebs_reset_value(m, area, bit, &reset);
    return (-reset & width_mask(m->p.gp_width)) < most;
}

/* Which active counters of the sample have the precise distribution and a short period? */
static bool short_precise(struct model *m, const struct pebs_sample *sample, uint64_t most)
{
    for (const struct counting *c = m->active.list; c < m->active.list + m->active.count; c++)
        if ((sample->counters >> c->bit & 1) && model_pebs_precise(m, c) && short_period(m, sample->area, c->bit, most))
            return true;
    return false;
}

DEFECT(pdir_small_period_wrong,
       ALL(INSTEAD(pebs_again, short_precise(m, sample, parameter()), true),
           CHANGED(pebs_shadow, precise && (short_period(m, m->controls.stored[STORED_DS_AREA], bit, parameter())),
                   imprecise(m))),
       "with a period below 100 the precise distribution is imprecise, and records are written twice",
       "BJ103, HSD11, BDM11", MEANT_FOR("errata.*"), PARAMETER("below", 1, 1000000, 100),
       MIMICS(ERRATUM_ON("sandy-bridge", "BJ103", 0x206a7, 0x2f, 0, 0),
              ERRATUM_ON("haswell", "HSD11", 0x306c3, 0x28, 0, 0),
              ERRATUM_ON("broadwell", "BDM11", 0x306d4, 0x2f, 0, 0)));
DEFECT(pdir_long_period_elsewhere,
       AFTER(pebs_capture, (short_precise(m, sample, ~0ull) && !short_precise(m, sample, 100)),
             sample->registers.rip += FAR_AWAY),
       "with a period of 100 and more the precise distribution records addresses 64 KB above the code",
       "class of BJ103", NOT_BY(ERRATUM_ON("haswell", "HSD11", 0x306c3, 0x28, 0, 0)));
DEFECT(pdir_small_period_elsewhere,
       AFTER(pebs_capture, short_precise(m, sample, 100), sample->registers.rip += FAR_AWAY;
             sample->eventing_ip += FAR_AWAY),
       "with a period below 100 the precise distribution records addresses 64 KB above the code", "class of BJ103",
       MEANT_FOR("errata.*"), MIMICS(ERRATUM_ON("haswell", "HSD11", 0x306c3, 0x28, 0, 0)));
VARIATION(pdir_plus_second_event,
          CHANGED(pebs_shadow, precise && (m->pebs.sampling & (m->pebs.sampling - 1)), imprecise(m)),
          "with a second sampling counter the precise distribution is imprecise", "BJ97; Sandy Bridge");

/* Does another programmable counter of the core count, too? */
static bool not_alone(const struct model *m, unsigned bit)
{
    return (m->active.mask & width_mask(m->p.gp_count) & ~BIT(bit)) || model_core_other_counts(m);
}

STAND_IN(pdir_not_alone, pebs_due)
{
    for (const struct counting *c = m->active.list; c < m->active.list + m->active.count; c++)
        if ((counters >> c->bit & 1) && model_pebs_precise(m, c) && not_alone(m, c->bit) && strikes())
            counters &= ~BIT(c->bit);
    return below(pebs_due);
}
VARIATION(pdir_not_alone, FUNCTIONS,
          "the precise distribution writes no record while another programmable counter of the core counts",
          "the manual: the rest of the core's counters are to be quiesced; BJ97; Sandy Bridge", ON("sandy-bridge"),
          PREPARED(deviation_with_threads));
VARIATION(pdir_with_freeze, INSTEAD(pebs_shadow, freezes(m) && precise, imprecise(m)),
          "with DEBUGCTL[12] the precise distribution is imprecise", "BJ92; Sandy Bridge");

/* ---- Firing */

DEFECT(pebs_several_lost, BEFORE(pebs_due, (counters & (counters - 1)), counters &= -counters),
       "of counters that fire together only the lowest writes, the others stop", "collisions of formats 1 and 2");

static bool counts_loads_by_latency(const struct model *m, uint64_t counters)
{
    for (const struct counting *c = m->active.list; c < m->active.list + m->active.count; c++)
        if ((counters >> c->bit & 1) && c->event == EVENT_LOAD_LATENCY)
            return true;
    return false;
}

VARIATION(load_latency_stops_with_ht,
          INSTEAD(pebs_due, m->p.threads > 1 && m->pebs.records > parameter() && counts_loads_by_latency(m, counters),
                  0),
          "with hyper-threading, after 20 records no more loads are sampled by latency",
          "HSD171, CML95; Haswell to Comet Lake", PREPARED(deviation_with_threads),
          PARAMETER("records", 1, 1000000, 20));

/* ---- Records after the end: a stop leaves one behind, which is written when sampling goes on with another DS area. */

struct stray {
    uint64_t written_to; /* DS area of the last record; 0: none since the last stop */
    uint64_t from;       /* DS area from which a stop has left a stray record; 0: none */
};

/* Is the stray record due? Then m->pebs.area becomes the area where it arose. */
static bool stray_due(struct model *m, struct stray *stray, uint64_t was, uint64_t stopped)
{
    struct pebs *p = &m->pebs;
    if (stopped)
        stray->written_to = p->area;
    if (was && !p->sampling && stray->written_to) {
        stray->from = stray->written_to;
        stray->written_to = 0;
    }
    if (!p->sampling || !stray->from || stray->from == m->controls.stored[STORED_DS_AREA])
        return false;
    p->area = stray->from;
    stray->from = 0;
    return true;
}

DEFECT(record_after_disable,
       ALL(AFTER(pebs_changed, (stray_due(m, memory(struct stray), was, stopped)),
                 model_pebs_leave_residual(m, PEBS_GP(0), 0)),
           NOTES(pebs_write, true,
                 memory(struct stray)->written_to = stopped ? memory(struct stray)->written_to : sample->area)),
       "sampling that continues with another DS area begins with a record to the previous area, even after a long stop",
       "HSD159, BDM114, SKL104; Haswell to Skylake", ON("sandy-bridge"), ALSO_ON("prescott"),
       MIMICS(ERRATUM_UNTIL(NULL, "HSD159", 0x306c3, 0x1e, 0x1f), ERRATUM_UNTIL(NULL, "BDM114", 0x306d4, 0x22, 0x23),
              ERRATUM_UNTIL(NULL, "SKL104", 0x506e3, 0x7b, 0x7c)),
       NOT_BY(ERRATUM("SKL104", 0x506e3, 0x7c, 0, 0)));
DEFECT(record_after_disable_new_area,
       ALL(AFTER(pebs_changed, stray_due(m, memory(struct stray), was, stopped),
                 m->pebs.area = m->controls.stored[STORED_DS_AREA];
                 model_pebs_leave_residual(m, PEBS_GP(0), 0)),
           NOTES(pebs_write, true,
                 memory(struct stray)->written_to = stopped ? memory(struct stray)->written_to : sample->area)),
       "sampling that continues with another DS area begins with a record that was left over",
       "HSD159, BDM114, SKL104 class", ON("sandy-bridge"), ALSO_ON("prescott"));

/* Counters that were stopped before their record, which waits. */
STAND_IN(pebs_flushed_to_new_area, pebs_changed)
{
    bool held = stopped && strikes();
    if (held)
        noted = stopped;
    replaced(pebs_changed)(m, was, held ? 0 : stopped);
    if (!m->pebs.sampling)
        return;
    if (noted & m->status.bits) {
        m->pebs.area = m->controls.stored[STORED_DS_AREA];
        model_pebs_leave_residual(m, noted, 0);
    }
    noted = 0;
}
VARIATION(pebs_flushed_to_new_area, FUNCTIONS,
          "the record of a counter that was stopped before it waits until sampling goes on, and is written to the area "
          "of then, unless the counter's status bit was cleared",
          "hypervisors on Ice Lake and Sapphire Rapids", ON("ice-lake"), ALSO_ON("sapphire-rapids"));
DEFECT(pebs_arms_one, CHANGED(pebs_armed, counters && (good & ~counters), counters),
       "a counter that is armed disarms another one, whose record never comes", "class: one flip-flop for all",
       ALSO_ON("ice-lake", "panther-lake"), MEANT_FOR("pebs.several"));

/* ---- Records written twice */

/* If a record has frozen the counters, it is the last one. */
static void see_freeze(struct model *m)
{
    if (m->active.stale)
        model_settle(m);
}

static bool odd_period(struct model *m, const struct pebs_sample *sample)
{
    uint64_t reset = 0;
    see_freeze(m);
    for (const struct counting *c = m->active.list; c < m->active.list + m->active.count; c++)
        if (sample->counters >> c->bit & 1)
            model_pebs_reset_value(m, sample->area, c->bit, &reset);
    return reset & MASK(5, 0);
}

DEFECT(redundant_records_low6, INSTEAD(pebs_again, odd_period(m, sample), true),
       "records are written twice unless the low 6 bits of the reset value are 0", "BDM55, BDD53; Broadwell",
       MIMICS(ERRATUM("BDM55", 0x306d4, 0x2f, 0, 0), ERRATUM("BDD53", 0x40671, 0x22, 0, 0)));

static bool long_even_period(struct model *m, const struct pebs_sample *sample)
{
    if (odd_period(m, sample))
        return false;
    for (const struct counting *c = m->active.list; c < m->active.list + m->active.count; c++)
        if ((sample->counters >> c->bit & 1) && short_period(m, sample->area, c->bit, 1000))
            return false;
    return true;
}

DEFECT(redundant_records_even, INSTEAD(pebs_again, long_even_period(m, sample), true),
       "records are written twice if the low 6 bits of the reset value are 0 and it is 1000 or more from the end",
       "class of BDM55, SKL161", NOT_BY(ERRATUM("BDM55", 0x306d4, 0x2f, 0, 0), ERRATUM("SKL161", 0x506e3, 0xf0, 0, 0)));

STAND_IN(redundant_records_inv_cmask, pebs_again)
{
    uint64_t most = parameter();
    bool concerned = false;
    see_freeze(m);
    for (const struct counting *c = m->active.list; c < m->active.list + m->active.count; c++)
        if (sample->counters >> c->bit & 1)
            concerned |= c->by_cycles && short_period(m, sample->area, c->bit, most);
    return (concerned && strikes()) || below(pebs_again);
}
DEFECT(redundant_records_inv_cmask, FUNCTIONS,
       "with CMASK, INV or EDGE and a period below 1000 records are written twice",
       "SKL161, BDM130; Broadwell to Comet Lake", ON("haswell"), ALSO_ON("sandy-bridge", "nehalem"),
       MEANT_FOR("errata.*"), PARAMETER("below", 1, 1000000, 1000),
       MIMICS(ERRATUM_ON("skylake", "SKL161", 0x506e3, 0xf0, 0, 0),
              ERRATUM_ON("broadwell", "BDM130", 0x306d4, 0x2f, 0, 0)));
#define ATOM 0x20 /* CPUID.1AH:EAX[31:24] */

static void atoms_by_event_list(struct model *m)
{
    const struct profile_leaf *kind = leaf_row(&m->p, 0x1a, 0);
    if (kind && kind->value[0] >> 24 == ATOM)
        m->p.pebs_precise_gp = 0;
}
VARIATION(pebs_precise_fixed_alone, NO_RULE, "on Atom cores only fixed counter 0 has the precise distribution",
          "Intel's event lists of Crestmont and Skymont", ON("lunar-lake"), ALSO_ON("meteor-lake", "arrow-lake-h"),
          THOROUGHLY, PREPARED(atoms_by_event_list));
