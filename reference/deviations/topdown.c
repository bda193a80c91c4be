/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of PERF_METRICS: what it keeps, when it moves, the values of its fields, RDPMC and STATUS. */
#define CHAPTERS "topdown.*"
#include "reference/deviations/stand_in.h"

#define WHOLE 0xffull
#define FIELD_OF(which) (WHOLE << 8 * (which))

/* ---- What is written */

CHANGED(metrics_kept, written_lost, METRICS_WRITE_LOST, strikes(m, METRICS_WRITE_LOST) ? 0 : good);
DEFECT(METRICS_WRITE_LOST, "metrics-write-lost", "a value written to PERF_METRICS is lost, and it reads 0",
       "class: a register that can only be cleared", ON("ice-lake"), STANDS_IN(FOR(metrics_kept, written_lost)));

static uint64_t slots_too(struct model *m, uint64_t value)
{
    if (strikes(m, METRICS_WRITE_CLEARS_SLOTS))
        model_counter_set(m, 32 + FIXED_TOPDOWN_SLOTS, 0);
    return replaced(m, METRICS_WRITE_CLEARS_SLOTS, metrics_kept)(m, value);
}
DEFECT(METRICS_WRITE_CLEARS_SLOTS, "metrics-write-clears-slots", "writing PERF_METRICS clears fixed counter 3",
       "class: the clearing goes both ways", ON("ice-lake"), STANDS_IN(FOR(metrics_kept, slots_too)));

static uint64_t survives(struct model *m)
{
    uint64_t value = replaced(m, METRICS_SURVIVE_SLOTS, metrics_after_slots)(m);
    bool zero = !m->counters.fixed[FIXED_TOPDOWN_SLOTS];
    return !zero && strikes(m, METRICS_SURVIVE_SLOTS) ? m->controls.stored[STORED_PERF_METRICS] : value;
}
VARIATION(METRICS_SURVIVE_SLOTS, "metrics-survive-slots",
          "writing anything but 0 to fixed counter 3 does not clear PERF_METRICS",
          "drivers: clearing that counter clears it; no source mentions other values", ON("ice-lake"),
          ALSO_ON("sapphire-rapids", "lunar-lake"), STANDS_IN(FOR(metrics_after_slots, survives)));

static uint64_t survives_zero(struct model *m)
{
    uint64_t value = replaced(m, METRICS_SURVIVE_ZERO, metrics_after_slots)(m);
    bool zero = !m->counters.fixed[FIXED_TOPDOWN_SLOTS];
    return zero && strikes(m, METRICS_SURVIVE_ZERO) ? m->controls.stored[STORED_PERF_METRICS] : value;
}
DEFECT(METRICS_SURVIVE_ZERO, "metrics-survive-zero", "writing 0 to fixed counter 3 does not clear PERF_METRICS",
       "class: a write of 0 that is optimised away", ON("ice-lake"),
       STANDS_IN(FOR(metrics_after_slots, survives_zero)));

/* ---- When it moves */

INSTEAD(metrics_enabled, always_enabled,
        below(METRICS_NEED_NO_ENABLE, metrics_enabled) || strikes(m, METRICS_NEED_NO_ENABLE));
VARIATION(METRICS_NEED_NO_ENABLE, "metrics-need-no-enable", "PERF_METRICS is kept without GLOBAL_CTRL[48]",
          "no driver counts slots without it, and no source tells how it then reads", ON("ice-lake"),
          ALSO_ON("sapphire-rapids"), STANDS_IN(FOR(metrics_enabled, always_enabled)));

INSTEAD(metrics_enabled, never_enabled, below(METRICS_DEAD, metrics_enabled) && !strikes(m, METRICS_DEAD));
DEFECT(METRICS_DEAD, "metrics-dead", "PERF_METRICS never moves", "class of AAJ79, with a newer feature", ON("ice-lake"),
       STANDS_IN(FOR(metrics_enabled, never_enabled)));

/* Changes with each read. */
static uint64_t drifting(uint64_t fractions, uint64_t *readings)
{
    return fractions ^ (++*readings & 1);
}

static uint64_t moves_stopped(struct model *m, uint64_t fractions)
{
    fractions = replaced(m, METRICS_MOVE_STOPPED, metrics_shown)(m, fractions);
    bool stopped = !(m->controls.stored[STORED_GLOBAL_CTRL] & GLOBAL_METRICS);
    if (!stopped || !strikes(m, METRICS_MOVE_STOPPED))
        return fractions;
    return drifting(fractions, memory(m, METRICS_MOVE_STOPPED, uint64_t));
}
DEFECT(METRICS_MOVE_STOPPED, "metrics-move-stopped", "PERF_METRICS moves while nothing counts",
       "class: fractions are computed when they are read", ON("ice-lake"),
       STANDS_IN(FOR(metrics_shown, moves_stopped)));

static uint64_t moves_frozen(struct model *m, uint64_t fractions)
{
    fractions = replaced(m, METRICS_MOVE_FROZEN, metrics_shown)(m, fractions);
    bool frozen = m->status.bits & STATUS_CTR_FRZ;
    if (!frozen || !strikes(m, METRICS_MOVE_FROZEN))
        return fractions;
    return drifting(fractions, memory(m, METRICS_MOVE_FROZEN, uint64_t));
}
VARIATION(METRICS_MOVE_FROZEN, "metrics-move-frozen", "PERF_METRICS moves while counters are frozen",
          "no source says that it stops with the counters", ON("ice-lake"), ALSO_ON("sapphire-rapids"),
          STANDS_IN(FOR(metrics_shown, moves_frozen)));

/* The counter of slots that CTR_FRZ does not stop. */
CHANGED(spared_by_freeze, slots_spared, SLOTS_MOVE_FROZEN,
        strikes(m, SLOTS_MOVE_FROZEN) ? good | GLOBAL_FIXED(FIXED_TOPDOWN_SLOTS) : good);
DEFECT(SLOTS_MOVE_FROZEN, "slots-move-frozen", "fixed counter 3 counts while counters are frozen", "class of SKL90",
       ON("ice-lake"), STANDS_IN(FOR(spared_by_freeze, slots_spared)));

CHANGED(metrics_rings, both_rings, METRICS_IN_BOTH_RINGS,
        (good && strikes(m, METRICS_IN_BOTH_RINGS)) ? RING_OS | RING_USR : good);
VARIATION(METRICS_IN_BOTH_RINGS, "metrics-in-both-rings",
          "PERF_METRICS moves at privilege levels that are not selected",
          "no document says that it goes by those of fixed counter 3", ON("ice-lake"), ALSO_ON("sapphire-rapids"),
          STANDS_IN(FOR(metrics_rings, both_rings)));

/* ---- Values of its fields */

CHANGED(metrics_shown, retiring_missing, METRICS_RETIRING_DEAD,
        strikes(m, METRICS_RETIRING_DEAD) ? good & ~FIELD_OF(METRIC_RETIRING) : good);
DEFECT(METRICS_RETIRING_DEAD, "metrics-retiring-dead", "PERF_METRICS' field of retiring slots is 0",
       "class: one dead field", ON("ice-lake"), STANDS_IN(FOR(metrics_shown, retiring_missing)));

static uint64_t all_parts_over(struct model *m, uint64_t fractions)
{
    fractions = replaced(m, METRICS_PARTS_MIXED, metrics_shown)(m, fractions);
    bool told = fractions >> 32;
    return told && strikes(m, METRICS_PARTS_MIXED) ? fractions | MASK(63, 32) : fractions;
}
DEFECT(METRICS_PARTS_MIXED, "metrics-parts-mixed", "all fields of PERF_METRICS' second level have another scale",
       "class: a field of another scale", ON("sapphire-rapids"), STANDS_IN(FOR(metrics_shown, all_parts_over)));

/* ---- RDPMC */

CHANGED(metrics_rdpmc_shown, reordered, RDPMC_METRICS_SHIFTED, strikes(m, RDPMC_METRICS_SHIFTED) ? good >> 8 : good);
DEFECT(RDPMC_METRICS_SHIFTED, "rdpmc-metrics-shifted", "RDPMC of PERF_METRICS reads it a field further down",
       "class of rdpmc-truncates", ON("ice-lake"), STANDS_IN(FOR(metrics_rdpmc_shown, reordered)));

static void never_clears(struct model *m)
{
    if (!strikes(m, RDPMC_METRICS_NEVER_CLEARS))
        replaced(m, RDPMC_METRICS_NEVER_CLEARS, metrics_read_by_rdpmc)(m);
}
DEFECT(RDPMC_METRICS_NEVER_CLEARS, "rdpmc-metrics-never-clears",
       "RDPMC of PERF_METRICS never clears anything, even when enabled", "class: a capability without the feature",
       ON("lunar-lake"), STANDS_IN(FOR(metrics_read_by_rdpmc, never_clears)));

static void always_clears(struct model *m)
{
    uint64_t *control = &m->controls.stored[STORED_FIXED_CTR_CTRL], was = *control;
    if (strikes(m, RDPMC_METRICS_ALWAYS_CLEARS))
        *control |= FIXED_METRICS_CLEAR;
    replaced(m, RDPMC_METRICS_ALWAYS_CLEARS, metrics_read_by_rdpmc)(m);
    *control = was;
}
DEFECT(RDPMC_METRICS_ALWAYS_CLEARS, "rdpmc-metrics-always-clears",
       "RDPMC of PERF_METRICS clears it and fixed counter 3 even when not enabled",
       "class: a mode bit that does nothing", ON("lunar-lake"), STANDS_IN(FOR(metrics_read_by_rdpmc, always_clears)));

static uint64_t cleared_before(struct model *m, uint64_t value)
{
    value = replaced(m, RDPMC_METRICS_CLEARS_FIRST, metrics_rdpmc_shown)(m, value);
    bool clears = m->controls.stored[STORED_FIXED_CTR_CTRL] & FIXED_METRICS_CLEAR;
    return clears && strikes(m, RDPMC_METRICS_CLEARS_FIRST) ? 0 : value;
}
DEFECT(RDPMC_METRICS_CLEARS_FIRST, "rdpmc-metrics-clears-first", "RDPMC of PERF_METRICS clears it before it has read",
       "class: the order of reading and clearing", ON("lunar-lake"),
       STANDS_IN(FOR(metrics_rdpmc_shown, cleared_before)));

INSTEAD(rdpmc_allowed, metrics_at_any_cpl,
        below(RDPMC_METRICS_UNCHECKED, rdpmc_allowed) || strikes(m, RDPMC_METRICS_UNCHECKED));
DEFECT(RDPMC_METRICS_UNCHECKED, "rdpmc-metrics-unchecked", "RDPMC works at CPL 3 with CR4.PCE clear",
       "class of rdpmc-user-unchecked", ON("ice-lake"), STANDS_IN(FOR(rdpmc_allowed, metrics_at_any_cpl)));

INSTEAD(rdpmc_allowed, metrics_never_at_cpl_3,
        below(RDPMC_METRICS_REFUSED, rdpmc_allowed) && !(cpl && strikes(m, RDPMC_METRICS_REFUSED)));
DEFECT(RDPMC_METRICS_REFUSED, "rdpmc-metrics-refused", "RDPMC faults at CPL 3 though CR4.PCE is set",
       "class of rdpmc-gp-faults", ON("ice-lake"), STANDS_IN(FOR(rdpmc_allowed, metrics_never_at_cpl_3)));

/* ---- STATUS[48] */

CHANGED(status_set, bit_48_not_set, METRICS_STATUS_NOT_SET,
        strikes(m, METRICS_STATUS_NOT_SET) ? good & ~STATUS_METRICS : good);
DEFECT(METRICS_STATUS_NOT_SET, "metrics-status-not-set", "STATUS_SET does not set bit 48",
       "class of status-set-ignored", ON("ice-lake"), STANDS_IN(FOR(status_set, bit_48_not_set)));

CHANGED(status_cleared, bit_48_stays, METRICS_STATUS_STAYS,
        strikes(m, METRICS_STATUS_STAYS) ? good & ~STATUS_METRICS : good);
DEFECT(METRICS_STATUS_STAYS, "metrics-status-stays", "STATUS_RESET does not clear bit 48", "class of condchgd-stays",
       ON("ice-lake"), STANDS_IN(FOR(status_cleared, bit_48_stays)));

static uint64_t slots_overflow_unseen(struct model *m, uint64_t wrapped, uint64_t asking)
{
    uint64_t status = replaced(m, SLOTS_OVERFLOW_AS_METRICS, overflow_status)(m, wrapped, asking);
    bool both = m->controls.stored[STORED_GLOBAL_CTRL] & GLOBAL_METRICS;
    if (!both || !(status & GLOBAL_FIXED(FIXED_TOPDOWN_SLOTS)) || !strikes(m, SLOTS_OVERFLOW_AS_METRICS))
        return status;
    return (status & ~GLOBAL_FIXED(FIXED_TOPDOWN_SLOTS)) | STATUS_METRICS;
}
DEFECT(SLOTS_OVERFLOW_AS_METRICS, "slots-overflow-as-metrics",
       "with PERF_METRICS enabled fixed counter 3 sets bit 48 and not its own as it overflows",
       "class of status-wrong-bit", ON("ice-lake"), STANDS_IN(FOR(overflow_status, slots_overflow_unseen)));

/* ---- What is enumerated */

static void register_missing(struct model *m)
{
    m->p.stored[STORED_PERF_METRICS].exists = false;
}
DEFECT(METRICS_CLAIMED_ABSENT, "metrics-claimed-absent",
       "PERF_CAPABILITIES[15] is 1 though MSR_PERF_METRICS does not exist", "class of full-width-claimed-absent",
       ON("ice-lake"), DATA(register_missing));

static void slots_missing(struct model *m)
{
    m->p.fixed_bitmap &= (uint8_t)~BIT(FIXED_TOPDOWN_SLOTS);
    m->p.leaf0a[2] &= ~(uint32_t)BIT(FIXED_TOPDOWN_SLOTS);
    m->p.leaf0a[3] = (m->p.leaf0a[3] & ~(uint32_t)MASK(4, 0)) | FIXED_TOPDOWN_SLOTS;
}
DEFECT(METRICS_WITHOUT_SLOTS, "metrics-without-slots",
       "PERF_CAPABILITIES[15] is 1 though the counter of slots does not exist", "class: a feature half fused off",
       ON("ice-lake"), DATA(slots_missing));

static void enable_faults(struct model *m)
{
    m->p.stored[STORED_GLOBAL_CTRL].faults |= GLOBAL_METRICS;
}
DEFECT(METRICS_ENABLE_FAULTS, "metrics-enable-faults",
       "GLOBAL_CTRL[48] cannot be set though PERF_CAPABILITIES[15] is 1",
       "Alder Lake's E cores, whose capabilities say so", ON("ice-lake"), DATA(enable_faults));

static void enable_dropped(struct model *m)
{
    m->p.stored[STORED_GLOBAL_CTRL].dropped |= GLOBAL_METRICS;
}
DEFECT(METRICS_ENABLE_DROPPED, "metrics-enable-dropped", "GLOBAL_CTRL[48] stays 0 though PERF_CAPABILITIES[15] is 1",
       "class: a feature half fused off", ON("ice-lake"), DATA(enable_dropped));

/* ---- What good silicon may do */

static uint64_t rounded_up(struct model *m, uint64_t fractions)
{
    fractions = replaced(m, METRICS_ROUNDED_UP, metrics_shown)(m, fractions);
    for (unsigned i = 0; i < METRIC_COUNT; i++)
        if ((fractions & FIELD_OF(i)) && (fractions & FIELD_OF(i)) != FIELD_OF(i))
            fractions += 1ull << 8 * i;
    return fractions;
}
VARIATION(METRICS_ROUNDED_UP, "metrics-rounded-up", "PERF_METRICS' fields are rounded up: their sum is above the whole",
          "sums up to 102H were seen", ON("ice-lake"), ALSO_ON("sapphire-rapids"),
          STANDS_IN(FOR(metrics_shown, rounded_up)));

static uint64_t slots_overflow_both(struct model *m, uint64_t wrapped, uint64_t asking)
{
    uint64_t status = replaced(m, SLOTS_OVERFLOW_SETS_48, overflow_status)(m, wrapped, asking);
    bool both = m->controls.stored[STORED_GLOBAL_CTRL] & GLOBAL_METRICS;
    return both && (status & GLOBAL_FIXED(FIXED_TOPDOWN_SLOTS)) ? status | STATUS_METRICS : status;
}
VARIATION(SLOTS_OVERFLOW_SETS_48, "slots-overflow-sets-48",
          "with PERF_METRICS enabled an overflow of fixed counter 3 sets bit 48 besides its own",
          "drivers: the bit reports that either lost precision", ON("ice-lake"), ALSO_ON("sapphire-rapids"),
          STANDS_IN(FOR(overflow_status, slots_overflow_both)));

/* Fields as fractions of the slots in the counter now. */
static uint64_t kept_as_parts(struct model *m, uint64_t value)
{
    value = replaced(m, METRICS_OF_SLOTS, metrics_kept)(m, value);
    uint64_t slots = m->counters.fixed[FIXED_TOPDOWN_SLOTS];
    for (unsigned i = 0; i < METRIC_COUNT; i++)
        m->topdown.metric[i] = (value >> 8 * i & WHOLE) * slots / WHOLE;
    return slots ? value : 0;
}

static uint64_t shown_as_parts(struct model *m, uint64_t fractions)
{
    uint64_t slots = m->counters.fixed[FIXED_TOPDOWN_SLOTS], value = 0;
    fractions = replaced(m, METRICS_OF_SLOTS, metrics_shown)(m, fractions);
    for (unsigned i = 0; i < METRIC_COUNT && slots; i++) {
        uint64_t field = m->topdown.metric[i] * WHOLE / slots;
        value |= (field < WHOLE ? field : WHOLE) << 8 * i;
    }
    return fractions ? value : 0;
}
VARIATION(METRICS_OF_SLOTS, "metrics-of-slots",
          "PERF_METRICS is kept as parts of fixed counter 3: what is written is rounded, and lost without slots",
          "drivers: its fields are derived from that counter", ON("ice-lake"), ALSO_ON("sapphire-rapids", "lunar-lake"),
          STANDS_IN(FOR(metrics_kept, kept_as_parts), FOR(metrics_shown, shown_as_parts)));

static void keeps_first_level(struct model *m)
{
    m->p.stored[STORED_PERF_METRICS].dropped |= MASK(63, 32);
}
VARIATION(METRICS_KEEP_LEVEL_1, "metrics-keep-level-1",
          "PERF_METRICS keeps what is written to its low four fields alone", "no document says which fields do",
          ON("sapphire-rapids"), DATA(keeps_first_level));

static void one_level(struct model *m)
{
    m->p.metrics_levels = 1;
}
VARIATION(METRICS_ONE_LEVEL, "metrics-one-level", "PERF_METRICS' second level is 0", "no document says when it is kept",
          ON("sapphire-rapids"), DATA(one_level));

CHANGED(metrics_shown, nothing_but_retiring, METRICS_ALL_RETIRES, good ? WHOLE << 8 * METRIC_RETIRING : 0);
VARIATION(METRICS_ALL_RETIRES, "metrics-all-retires", "all slots retire: the other fields of PERF_METRICS are 0",
          "a block without misses on a narrow core", ON("ice-lake"),
          STANDS_IN(FOR(metrics_shown, nothing_but_retiring)));
