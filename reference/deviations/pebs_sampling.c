/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of PEBS: which counters sample, how they are armed, and what happens when they stop. */
#define CHAPTERS "pebs.*,netburst.*"
#include "reference/deviations/stand_in.h"

#define FAR_AWAY 0x10000 /* far enough from the right address */

/* ---- Which counters sample */

static bool upper_gp_dead(struct model *m, struct counting *c)
{
    bool last = c->bit < 32 && m->p.pebs_gp >> c->bit == 1;
    return replaced(m, PEBS_LAST_GP_DEAD, pebs_capable)(m, c) && !(last && strikes(m, PEBS_LAST_GP_DEAD));
}
DEFECT(PEBS_LAST_GP_DEAD, "pebs-last-gp-dead", "the last GP counter that can sample does not", "class: one bad counter",
       STANDS_IN(FOR(pebs_capable, upper_gp_dead)));

/* Adds instructions to the listed events. */
static void lists_instructions(struct model *m)
{
    unsigned last = 0;
    while (last + 2 < PEBS_EVENTS_MAX && m->p.pebs_events[last])
        last++;
    m->p.pebs_events[last] = ARCH_EVENT_INSTRUCTIONS;
}
VARIATION(PEBS_UNLISTED_SAMPLES, "pebs-unlisted-samples", "instructions are sampled though they are not listed",
          "drivers sample them on Silvermont", ON("silvermont"), DATA(lists_instructions));

static uint32_t advances_by_a_word(struct model *m, uint32_t size)
{
    bool unlisted = (m->controls.evtsel[0] & MASK(15, 0)) == ARCH_EVENT_INSTRUCTIONS;
    size = replaced(m, PEBS_UNLISTED_ADVANCES_LITTLE, pebs_advance)(m, size);
    return unlisted && strikes(m, PEBS_UNLISTED_ADVANCES_LITTLE) ? 8 : size;
}
DEFECT(PEBS_UNLISTED_ADVANCES_LITTLE, "pebs-unlisted-advances-little",
       "a record of an event that is not listed advances the index by 8", "class", ON("silvermont"),
       DATA(lists_instructions), STANDS_IN(FOR(pebs_advance, advances_by_a_word)));

INSTEAD(pebs_capable, fixed_dead,
        below(PEBS_FIXED_DEAD, pebs_capable) && !(c->bit >= 32 && strikes(m, PEBS_FIXED_DEAD)));
DEFECT(PEBS_FIXED_DEAD, "pebs-fixed-dead", "fixed counters do not sample", "hypervisors without the baseline",
       ON("ice-lake"), STANDS_IN(FOR(pebs_capable, fixed_dead)));

static bool in_both_rings(struct model *m, struct counting *c)
{
    bool capable = replaced(m, PEBS_IGNORES_CPL, pebs_capable)(m, c);
    if (capable && strikes(m, PEBS_IGNORES_CPL))
        c->rings = RING_OS | RING_USR;
    return capable;
}
DEFECT(PEBS_IGNORES_CPL, "pebs-ignores-cpl", "a sampling counter counts in both rings, whatever OS and USR say",
       "AJ67, AR63, W126; Core 2", ALSO_ON("ice-lake"),
       MIMICS(ERRATUM("AJ67", 0x6f7, 0x6a, 0, 0), ERRATUM("AR63", 0x10661, 0x43, 0, 0)),
       STANDS_IN(FOR(pebs_capable, in_both_rings)));

CHANGED(pebs_enabled, as_if_enabled, PEBS_WITHOUT_ENABLE, !good && strikes(m, PEBS_WITHOUT_ENABLE) ? BIT(bit) : good);
DEFECT(PEBS_WITHOUT_ENABLE, "pebs-without-enable",
       "counters sample without their bit of IA32_PEBS_ENABLE, given a DS area", "class",
       STANDS_IN(FOR(pebs_enabled, as_if_enabled)));

/* Has this counter no event select, but its bit of IA32_PEBS_ENABLE? */
static bool enabled_alone(const struct model *m, unsigned n, uint64_t evtsel)
{
    return !evtsel && (m->controls.stored[STORED_PEBS_ENABLE] & PEBS_GP(n));
}

INSTEAD(gp_enabled, counts_unset, !evtsel || below(PEBS_WITHOUT_EVENT, gp_enabled));

INSTEAD(selected_event, instructions_if_unset,
        enabled_alone(m, n, evtsel) ? EVENT_INSTRUCTIONS : below(PEBS_WITHOUT_EVENT, selected_event));

INSTEAD(gp_rings, os_if_unset,
        enabled_alone(m, n, evtsel) && strikes(m, PEBS_WITHOUT_EVENT) ? RING_OS : below(PEBS_WITHOUT_EVENT, gp_rings));

static bool samples_unset(struct model *m, struct counting *c)
{
    bool gp = c->bit < 32 && !m->p.netburst_count && (m->p.pebs_gp >> c->bit & 1);
    bool unset =
        gp && !(m->controls.evtsel[c->bit] & MASK(15, 0)) && (m->controls.stored[STORED_PEBS_ENABLE] & PEBS_GP(c->bit));
    return replaced(m, PEBS_WITHOUT_EVENT, pebs_capable)(m, c) || (unset && strikes(m, PEBS_WITHOUT_EVENT));
}
DEFECT(PEBS_WITHOUT_EVENT, "pebs-without-event",
       "with its bit of IA32_PEBS_ENABLE, a counter without an event select samples instructions", "class",
       STANDS_IN(FOR(gp_enabled, counts_unset), FOR(selected_event, instructions_if_unset), FOR(gp_rings, os_if_unset),
                 FOR(pebs_capable, samples_unset)));

/* Counters that have sampled since IA32_DS_AREA was written. */
struct sampled {
    uint64_t counters;
};

static uint64_t forgotten_by_area(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    if (which == STORED_DS_AREA)
        memory(m, PEBS_ENABLE_STICKY, struct sampled)->counters = 0;
    return replaced(m, PEBS_ENABLE_STICKY, stored_kept)(m, which, was, value);
}

static uint64_t samples_on(struct model *m)
{
    struct sampled *sampled = memory(m, PEBS_ENABLE_STICKY, struct sampled);
    uint64_t sampling = replaced(m, PEBS_ENABLE_STICKY, pebs_sampling)(m);
    uint64_t again = sampled->counters & m->active.mask & ~sampling;
    if (again && !m->controls.stored[STORED_PEBS_ENABLE] && strikes(m, PEBS_ENABLE_STICKY))
        sampling |= again;
    sampled->counters |= sampling;
    return sampling;
}
DEFECT(PEBS_ENABLE_STICKY, "pebs-enable-sticky",
       "clearing IA32_PEBS_ENABLE does not end the sampling, writing IA32_DS_AREA does", "class", ALSO_ON("ice-lake"),
       STANDS_IN(FOR(stored_kept, forgotten_by_area), FOR(pebs_sampling, samples_on)));

static uint64_t has_not_sampled(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    if (which == STORED_DS_AREA)
        memory(m, PEBS_DISABLED_LOSES_OVERFLOW, struct sampled)->counters = 0;
    return replaced(m, PEBS_DISABLED_LOSES_OVERFLOW, stored_kept)(m, which, was, value);
}

static uint64_t has_sampled(struct model *m)
{
    uint64_t sampling = replaced(m, PEBS_DISABLED_LOSES_OVERFLOW, pebs_sampling)(m);
    memory(m, PEBS_DISABLED_LOSES_OVERFLOW, struct sampled)->counters |= sampling;
    return sampling;
}

static uint64_t unseen_after_sampling(struct model *m, uint64_t wrapped)
{
    uint64_t left = memory(m, PEBS_DISABLED_LOSES_OVERFLOW, struct sampled)->counters & ~m->pebs.sampling;
    if ((wrapped & left) && strikes(m, PEBS_DISABLED_LOSES_OVERFLOW))
        wrapped &= ~left;
    return replaced(m, PEBS_DISABLED_LOSES_OVERFLOW, overflows_seen)(m, wrapped);
}
DEFECT(PEBS_DISABLED_LOSES_OVERFLOW, "pebs-disabled-loses-overflow",
       "a counter that sampled, and counts with PEBS disabled, overflows without a sign", "class", ALSO_ON("ice-lake"),
       STANDS_IN(FOR(stored_kept, has_not_sampled), FOR(pebs_sampling, has_sampled),
                 FOR(overflows_seen, unseen_after_sampling)));

/* ---- Arming */

INSTEAD(pebs_arms, never_arms, !strikes(m, PEBS_NO_RECORD) && below(PEBS_NO_RECORD, pebs_arms));
DEFECT(PEBS_NO_RECORD, "pebs-no-record", "an overflow does not arm PEBS", "class: the assist switched off by microcode",
       ALSO_ON("ice-lake", "lunar-lake", "sapphire-rapids"), STANDS_IN(FOR(pebs_arms, never_arms)));

static void armed_at_start(struct model *m, uint64_t was, uint64_t stopped)
{
    uint64_t started = m->pebs.sampling & ~was;
    replaced(m, PEBS_RECORD_AT_START, pebs_changed)(m, was, stopped);
    if (started && strikes(m, PEBS_RECORD_AT_START))
        model_pebs_arm_now(m, started);
}
DEFECT(PEBS_RECORD_AT_START, "pebs-record-at-start",
       "a counter that starts to sample is armed, as if it had overflowed", "class",
       ALSO_ON("ice-lake", "lunar-lake", "sapphire-rapids"), STANDS_IN(FOR(pebs_changed, armed_at_start)));

CHANGED(pebs_shadow, one_more, PEBS_SKID_ONE_MORE, !precise && strikes(m, PEBS_SKID_ONE_MORE) ? good + 1 : good);
VARIATION(PEBS_SKID_ONE_MORE, "pebs-skid-one-more", "arming takes one instruction more", "HSD110; Haswell",
          STANDS_IN(FOR(pebs_shadow, one_more)));

static uint8_t longer(struct model *m, unsigned bit, bool precise)
{
    uint8_t instructions = replaced(m, PEBS_SKID_LONGER, pebs_shadow)(m, bit, precise);
    return !precise && strikes(m, PEBS_SKID_LONGER) ? (uint8_t)(instructions + parameter(m, PEBS_SKID_LONGER))
                                                    : instructions;
}
VARIATION(PEBS_SKID_LONGER, "pebs-skid-longer", "arming takes eight instructions more",
          "hypervisors that watch the buffer: 3 to 8 until a record is written", PARAMETER("more", 1, 32, 8),
          ALSO_ON("nehalem", "sandy-bridge", "ice-lake", "conroe"), STANDS_IN(FOR(pebs_shadow, longer)));

/* ---- The precise distribution is imprecise. */

static uint8_t imprecise(const struct model *m)
{
    return (uint8_t)(m->pebs.arms * 3 % 5); /* by a different number each time */
}

static uint8_t jitters(struct model *m, unsigned bit, bool precise)
{
    uint8_t instructions = replaced(m, PDIST_JITTERS, pebs_shadow)(m, bit, precise);
    return precise && strikes(m, PDIST_JITTERS) ? imprecise(m) : instructions;
}
DEFECT(PDIST_JITTERS, "pdist-jitters", "with the precise distribution records are not equally far apart",
       "class of BJ103", ON("sapphire-rapids"), ALSO_ON("lunar-lake"), STANDS_IN(FOR(pebs_shadow, jitters)));

static uint8_t biased(struct model *m, unsigned bit, bool precise)
{
    uint8_t instructions = replaced(m, PDIR_BIASED, pebs_shadow)(m, bit, precise);
    return precise && strikes(m, PDIR_BIASED) ? imprecise(m) : instructions;
}
VARIATION(PDIR_BIASED, "pdir-biased", "with the older PDIR records are a few instructions late, and not by as many",
          "a driver's author on Ice Lake servers; KVM names instruction-accurate only what came after",
          ALSO_ON("sandy-bridge", "ice-lake", "tremont"), STANDS_IN(FOR(pebs_shadow, biased)));

INSTEAD(pebs_shadow, one_late,
        precise && m->pebs.arms % 11 == 0 && strikes(m, PDIST_ONE_LATE) ? 1 : below(PDIST_ONE_LATE, pebs_shadow));
VARIATION(PDIST_ONE_LATE, "pdist-one-late", "one record of eleven of the precise distribution is an instruction late",
          "a driver's author on Sapphire Rapids: near an interrupt", ON("sapphire-rapids"), ALSO_ON("lunar-lake"),
          STANDS_IN(FOR(pebs_shadow, one_late)));

/* Is the reset value closer to the end than this? Software may write it in full width or cut to the counter's. */
static bool short_period(struct model *m, uint64_t area, unsigned bit, uint64_t most)
{
    uint64_t reset = 0;
    model_pebs_reset_value(m, area, bit, &reset);
    return (-reset & width_mask(m->p.gp_width)) < most;
}

static uint8_t imprecise_when_short(struct model *m, unsigned bit, bool precise)
{
    uint64_t area = m->controls.stored[STORED_DS_AREA];
    uint8_t instructions = replaced(m, PDIR_SMALL_PERIOD_WRONG, pebs_shadow)(m, bit, precise);
    bool wrong = precise && short_period(m, area, bit, parameter(m, PDIR_SMALL_PERIOD_WRONG));
    return wrong && strikes(m, PDIR_SMALL_PERIOD_WRONG) ? imprecise(m) : instructions;
}

/* Which active counters of the sample have the precise distribution and a short period? */
static bool short_precise(struct model *m, const struct pebs_sample *sample, uint64_t most)
{
    for (const struct counting *c = m->active.list; c < m->active.list + m->active.count; c++)
        if ((sample->counters >> c->bit & 1) && model_pebs_precise(m, c) && short_period(m, sample->area, c->bit, most))
            return true;
    return false;
}

INSTEAD(pebs_again, again_when_short,
        (short_precise(m, sample, parameter(m, PDIR_SMALL_PERIOD_WRONG)) && strikes(m, PDIR_SMALL_PERIOD_WRONG)) ||
            below(PDIR_SMALL_PERIOD_WRONG, pebs_again));
DEFECT(PDIR_SMALL_PERIOD_WRONG, "pdir-small-period-wrong",
       "with a period below 100 the precise distribution is imprecise, and records are written twice",
       "BJ103, HSD11, BDM11", MEANT_FOR("errata.*"), PARAMETER("below", 1, 1000000, 100),
       MIMICS(ERRATUM_ON("sandy-bridge", "BJ103", 0x206a7, 0x2f, 0, 0),
              ERRATUM_ON("haswell", "HSD11", 0x306c3, 0x28, 0, 0),
              ERRATUM_ON("broadwell", "BDM11", 0x306d4, 0x2f, 0, 0)),
       STANDS_IN(FOR(pebs_shadow, imprecise_when_short), FOR(pebs_again, again_when_short)));

static void other_code_when_long(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, PDIR_LONG_PERIOD_ELSEWHERE, pebs_capture)(m, in, s);
    bool is_long = short_precise(m, s, ~0ull) && !short_precise(m, s, 100);
    s->registers.rip += is_long && strikes(m, PDIR_LONG_PERIOD_ELSEWHERE) ? FAR_AWAY : 0;
}
DEFECT(PDIR_LONG_PERIOD_ELSEWHERE, "pdir-long-period-elsewhere",
       "with a period of 100 and more the precise distribution records addresses 64 KB above the code",
       "class of BJ103", NOT_BY(ERRATUM_ON("haswell", "HSD11", 0x306c3, 0x28, 0, 0)),
       STANDS_IN(FOR(pebs_capture, other_code_when_long)));

static void other_code_when_short(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, PDIR_SMALL_PERIOD_ELSEWHERE, pebs_capture)(m, in, s);
    if (!short_precise(m, s, 100) || !strikes(m, PDIR_SMALL_PERIOD_ELSEWHERE))
        return;
    s->registers.rip += FAR_AWAY;
    s->eventing_ip += FAR_AWAY;
}
DEFECT(PDIR_SMALL_PERIOD_ELSEWHERE, "pdir-small-period-elsewhere",
       "with a period below 100 the precise distribution records addresses 64 KB above the code", "class of BJ103",
       MEANT_FOR("errata.*"), MIMICS(ERRATUM_ON("haswell", "HSD11", 0x306c3, 0x28, 0, 0)),
       STANDS_IN(FOR(pebs_capture, other_code_when_short)));

static uint8_t imprecise_with_second(struct model *m, unsigned bit, bool precise)
{
    uint8_t instructions = replaced(m, PDIR_PLUS_SECOND_EVENT, pebs_shadow)(m, bit, precise);
    bool second = m->pebs.sampling & (m->pebs.sampling - 1);
    return precise && second && strikes(m, PDIR_PLUS_SECOND_EVENT) ? imprecise(m) : instructions;
}
VARIATION(PDIR_PLUS_SECOND_EVENT, "pdir-plus-second-event",
          "with a second sampling counter the precise distribution is imprecise", "BJ97; Sandy Bridge",
          STANDS_IN(FOR(pebs_shadow, imprecise_with_second)));

/* Does another programmable counter of the core count, too? */
static bool not_alone(const struct model *m, unsigned bit)
{
    return (m->active.mask & width_mask(m->p.gp_count) & ~BIT(bit)) || model_core_other_counts(m);
}

static uint64_t lost_unless_alone(struct model *m, uint64_t counters)
{
    for (const struct counting *c = m->active.list; c < m->active.list + m->active.count; c++)
        if ((counters >> c->bit & 1) && model_pebs_precise(m, c) && not_alone(m, c->bit) && strikes(m, PDIR_NOT_ALONE))
            counters &= ~BIT(c->bit);
    return replaced(m, PDIR_NOT_ALONE, pebs_due)(m, counters);
}
VARIATION(PDIR_NOT_ALONE, "pdir-not-alone",
          "the precise distribution writes no record while another programmable counter of the core counts",
          "the manual: the rest of the core's counters are to be quiesced; BJ97; Sandy Bridge", ON("sandy-bridge"),
          DATA(deviation_with_threads), STANDS_IN(FOR(pebs_due, lost_unless_alone)));

INSTEAD(pebs_shadow, imprecise_with_freeze,
        (precise && freezes(m) && strikes(m, PDIR_WITH_FREEZE)) ? imprecise(m) : below(PDIR_WITH_FREEZE, pebs_shadow));
VARIATION(PDIR_WITH_FREEZE, "pdir-with-freeze", "with DEBUGCTL[12] the precise distribution is imprecise",
          "BJ92; Sandy Bridge", STANDS_IN(FOR(pebs_shadow, imprecise_with_freeze)));

/* ---- Firing */

static uint64_t lowest_fires(struct model *m, uint64_t counters)
{
    if ((counters & (counters - 1)) && strikes(m, PEBS_SEVERAL_LOST))
        counters &= -counters;
    return replaced(m, PEBS_SEVERAL_LOST, pebs_due)(m, counters);
}
DEFECT(PEBS_SEVERAL_LOST, "pebs-several-lost", "of counters that fire together only the lowest writes, the others stop",
       "collisions of formats 1 and 2", STANDS_IN(FOR(pebs_due, lowest_fires)));

static bool counts_loads_by_latency(const struct model *m, uint64_t counters)
{
    for (const struct counting *c = m->active.list; c < m->active.list + m->active.count; c++)
        if ((counters >> c->bit & 1) && c->event == EVENT_LOAD_LATENCY)
            return true;
    return false;
}

static uint64_t loads_stop(struct model *m, uint64_t counters)
{
    bool enough = m->p.threads > 1 && m->pebs.records > parameter(m, LOAD_LATENCY_STOPS_WITH_HT);
    if (enough && counts_loads_by_latency(m, counters) && strikes(m, LOAD_LATENCY_STOPS_WITH_HT))
        return 0;
    return replaced(m, LOAD_LATENCY_STOPS_WITH_HT, pebs_due)(m, counters);
}
VARIATION(LOAD_LATENCY_STOPS_WITH_HT, "load-latency-stops-with-ht",
          "with hyper-threading, after 20 records no more loads are sampled by latency",
          "HSD171, CML95; Haswell to Comet Lake", DATA(deviation_with_threads), PARAMETER("records", 1, 1000000, 20),
          STANDS_IN(FOR(pebs_due, loads_stop)));

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

static void strays(struct model *m, uint64_t was, uint64_t stopped)
{
    replaced(m, RECORD_AFTER_DISABLE, pebs_changed)(m, was, stopped);
    bool due = stray_due(m, memory(m, RECORD_AFTER_DISABLE, struct stray), was, stopped);
    if (due && strikes(m, RECORD_AFTER_DISABLE))
        model_pebs_leave_residual(m, PEBS_GP(0), 0);
}

static void may_stray(struct model *m, const struct pebs_sample *sample, bool stopped)
{
    struct stray *stray = memory(m, RECORD_AFTER_DISABLE, struct stray);
    stray->written_to = stopped ? stray->written_to : sample->area;
    replaced(m, RECORD_AFTER_DISABLE, pebs_write)(m, sample, stopped);
}
DEFECT(RECORD_AFTER_DISABLE, "record-after-disable",
       "sampling that continues with another DS area begins with a record to the previous area, even after a long stop",
       "HSD159, BDM114, SKL104; Haswell to Skylake", ON("sandy-bridge"), ALSO_ON("prescott"),
       MIMICS(ERRATUM_UNTIL(NULL, "HSD159", 0x306c3, 0x1e, 0x1f), ERRATUM_UNTIL(NULL, "BDM114", 0x306d4, 0x22, 0x23),
              ERRATUM_UNTIL(NULL, "SKL104", 0x506e3, 0x7b, 0x7c)),
       NOT_BY(ERRATUM("SKL104", 0x506e3, 0x7c, 0, 0)),
       STANDS_IN(FOR(pebs_changed, strays), FOR(pebs_write, may_stray)));

static void strays_to_new_area(struct model *m, uint64_t was, uint64_t stopped)
{
    replaced(m, RECORD_AFTER_DISABLE_NEW_AREA, pebs_changed)(m, was, stopped);
    bool due = stray_due(m, memory(m, RECORD_AFTER_DISABLE_NEW_AREA, struct stray), was, stopped);
    if (!due || !strikes(m, RECORD_AFTER_DISABLE_NEW_AREA))
        return;
    m->pebs.area = m->controls.stored[STORED_DS_AREA];
    model_pebs_leave_residual(m, PEBS_GP(0), 0);
}

static void may_stray_anew(struct model *m, const struct pebs_sample *sample, bool stopped)
{
    struct stray *stray = memory(m, RECORD_AFTER_DISABLE_NEW_AREA, struct stray);
    stray->written_to = stopped ? stray->written_to : sample->area;
    replaced(m, RECORD_AFTER_DISABLE_NEW_AREA, pebs_write)(m, sample, stopped);
}
DEFECT(RECORD_AFTER_DISABLE_NEW_AREA, "record-after-disable-new-area",
       "sampling that continues with another DS area begins with a record that was left over",
       "HSD159, BDM114, SKL104 class", ON("sandy-bridge"), ALSO_ON("prescott"),
       STANDS_IN(FOR(pebs_changed, strays_to_new_area), FOR(pebs_write, may_stray_anew)));

/* Counters that were stopped before their record, which waits. */
struct waiting_record {
    uint64_t counters;
};

static void waits_for_sampling(struct model *m, uint64_t was, uint64_t stopped)
{
    struct waiting_record *record = memory(m, PEBS_FLUSHED_TO_NEW_AREA, struct waiting_record);
    bool held = stopped && strikes(m, PEBS_FLUSHED_TO_NEW_AREA);
    if (held)
        record->counters = stopped;
    replaced(m, PEBS_FLUSHED_TO_NEW_AREA, pebs_changed)(m, was, held ? 0 : stopped);
    if (!m->pebs.sampling)
        return;
    if (record->counters & m->status.bits) {
        m->pebs.area = m->controls.stored[STORED_DS_AREA];
        model_pebs_leave_residual(m, record->counters, 0);
    }
    record->counters = 0;
}
VARIATION(PEBS_FLUSHED_TO_NEW_AREA, "pebs-flushed-to-new-area",
          "the record of a counter that was stopped before it waits until sampling goes on, and is written to the area "
          "of then, unless the counter's status bit was cleared",
          "hypervisors on Ice Lake and Sapphire Rapids", ON("ice-lake"), ALSO_ON("sapphire-rapids"),
          STANDS_IN(FOR(pebs_changed, waits_for_sampling)));

CHANGED(pebs_armed, last_one_alone, PEBS_ARMS_ONE,
        counters && (good & ~counters) && strikes(m, PEBS_ARMS_ONE) ? counters : good);
DEFECT(PEBS_ARMS_ONE, "pebs-arms-one", "a counter that is armed disarms another one, whose record never comes",
       "class: one flip-flop for all", ALSO_ON("ice-lake", "panther-lake"), MEANT_FOR("pebs.several"),
       STANDS_IN(FOR(pebs_armed, last_one_alone)));

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

INSTEAD(pebs_again, odd_again,
        (odd_period(m, sample) && strikes(m, REDUNDANT_RECORDS_LOW6)) || below(REDUNDANT_RECORDS_LOW6, pebs_again));
DEFECT(REDUNDANT_RECORDS_LOW6, "redundant-records-low6",
       "records are written twice unless the low 6 bits of the reset value are 0", "BDM55, BDD53; Broadwell",
       MIMICS(ERRATUM("BDM55", 0x306d4, 0x2f, 0, 0), ERRATUM("BDD53", 0x40671, 0x22, 0, 0)),
       STANDS_IN(FOR(pebs_again, odd_again)));

static bool long_even_period(struct model *m, const struct pebs_sample *sample)
{
    if (odd_period(m, sample))
        return false;
    for (const struct counting *c = m->active.list; c < m->active.list + m->active.count; c++)
        if ((sample->counters >> c->bit & 1) && short_period(m, sample->area, c->bit, 1000))
            return false;
    return true;
}

INSTEAD(pebs_again, even_again,
        (long_even_period(m, sample) && strikes(m, REDUNDANT_RECORDS_EVEN)) ||
            below(REDUNDANT_RECORDS_EVEN, pebs_again));
DEFECT(REDUNDANT_RECORDS_EVEN, "redundant-records-even",
       "records are written twice if the low 6 bits of the reset value are 0 and it is 1000 or more from the end",
       "class of BDM55, SKL161", NOT_BY(ERRATUM("BDM55", 0x306d4, 0x2f, 0, 0), ERRATUM("SKL161", 0x506e3, 0xf0, 0, 0)),
       STANDS_IN(FOR(pebs_again, even_again)));

static bool by_cycles_again(struct model *m, const struct pebs_sample *sample)
{
    uint64_t most = parameter(m, REDUNDANT_RECORDS_INV_CMASK);
    bool concerned = false;
    see_freeze(m);
    for (const struct counting *c = m->active.list; c < m->active.list + m->active.count; c++)
        if (sample->counters >> c->bit & 1)
            concerned |= c->by_cycles && short_period(m, sample->area, c->bit, most);
    return (concerned && strikes(m, REDUNDANT_RECORDS_INV_CMASK)) ||
           replaced(m, REDUNDANT_RECORDS_INV_CMASK, pebs_again)(m, sample);
}
DEFECT(REDUNDANT_RECORDS_INV_CMASK, "redundant-records-inv-cmask",
       "with CMASK, INV or EDGE and a period below 1000 records are written twice",
       "SKL161, BDM130; Broadwell to Comet Lake", ON("haswell"), ALSO_ON("sandy-bridge", "nehalem"),
       MEANT_FOR("errata.*"), PARAMETER("below", 1, 1000000, 1000),
       MIMICS(ERRATUM_ON("skylake", "SKL161", 0x506e3, 0xf0, 0, 0),
              ERRATUM_ON("broadwell", "BDM130", 0x306d4, 0x2f, 0, 0)),
       STANDS_IN(FOR(pebs_again, by_cycles_again)));
