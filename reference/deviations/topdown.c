/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of PERF_METRICS: what it keeps, when it moves, the values of its fields, RDPMC and STATUS. */
#define CHAPTERS "topdown.*"
#include "reference/deviations/stand_in.h"

#define WHOLE 0xffull
#define FIELD_OF(which) (WHOLE << 8 * (which))

/* ---- What is written */

DEFECT(metrics_write_lost, CHANGED(metrics_kept, true, 0), "a value written to PERF_METRICS is lost, and it reads 0",
       "class: a register that can only be cleared", ON("ice-lake"));
DEFECT(metrics_write_clears_slots, BEFORE(metrics_kept, true, model_counter_set(m, 32 + FIXED_TOPDOWN_SLOTS, 0)),
       "writing PERF_METRICS clears fixed counter 3", "class: the clearing goes both ways", ON("ice-lake"));
VARIATION(metrics_survive_slots,
          CHANGED(metrics_after_slots, !!m->counters.fixed[FIXED_TOPDOWN_SLOTS],
                  m->controls.stored[STORED_PERF_METRICS]),
          "writing anything but 0 to fixed counter 3 does not clear PERF_METRICS",
          "drivers: clearing that counter clears it; no source mentions other values", ON("ice-lake"),
          ALSO_ON("sapphire-rapids", "lunar-lake"));
DEFECT(metrics_survive_zero,
       CHANGED(metrics_after_slots, !m->counters.fixed[FIXED_TOPDOWN_SLOTS], m->controls.stored[STORED_PERF_METRICS]),
       "writing 0 to fixed counter 3 does not clear PERF_METRICS", "class: a write of 0 that is optimised away",
       ON("ice-lake"));

/* ---- When it moves */

VARIATION(metrics_need_no_enable, CHANGED(metrics_enabled, !good, true), "PERF_METRICS is kept without GLOBAL_CTRL[48]",
          "no driver counts slots without it, and no source tells how it then reads", ON("ice-lake"),
          ALSO_ON("sapphire-rapids"));
DEFECT(metrics_dead, CHANGED(metrics_enabled, good, false), "PERF_METRICS never moves",
       "class of AAJ79, with a newer feature", ON("ice-lake"));

/* Changes with each read. */
static uint64_t drifting(uint64_t fractions, uint64_t *readings)
{
    return fractions ^ (++*readings & 1);
}

DEFECT(metrics_move_stopped,
       CHANGED(metrics_shown, !(!!(m->controls.stored[STORED_GLOBAL_CTRL] & GLOBAL_METRICS)),
               drifting(good, memory(uint64_t))),
       "PERF_METRICS moves while nothing counts", "class: fractions are computed when they are read", ON("ice-lake"));
VARIATION(metrics_move_frozen,
          CHANGED(metrics_shown, !(!(m->status.bits & STATUS_CTR_FRZ)), drifting(good, memory(uint64_t))),
          "PERF_METRICS moves while counters are frozen", "no source says that it stops with the counters",
          ON("ice-lake"), ALSO_ON("sapphire-rapids"));

/* The counter of slots that CTR_FRZ does not stop. */
DEFECT(slots_move_frozen, CHANGED(spared_by_freeze, true, good | GLOBAL_FIXED(FIXED_TOPDOWN_SLOTS)),
       "fixed counter 3 counts while counters are frozen", "class of SKL90", ON("ice-lake"));
VARIATION(metrics_in_both_rings, CHANGED(metrics_rings, good, RING_OS | RING_USR),
          "PERF_METRICS moves at privilege levels that are not selected",
          "no document says that it goes by those of fixed counter 3", ON("ice-lake"), ALSO_ON("sapphire-rapids"));

/* ---- Values of its fields */

DEFECT(metrics_retiring_dead, CHANGED(metrics_shown, true, good & ~FIELD_OF(METRIC_RETIRING)),
       "PERF_METRICS' field of retiring slots is 0", "class: one dead field", ON("ice-lake"));
DEFECT(metrics_parts_mixed, CHANGED(metrics_shown, (good >> 32), good | MASK(63, 32)),
       "all fields of PERF_METRICS' second level have another scale", "class: a field of another scale",
       ON("sapphire-rapids"));

/* ---- RDPMC */

DEFECT(rdpmc_metrics_shifted, CHANGED(metrics_rdpmc_shown, true, good >> 8),
       "RDPMC of PERF_METRICS reads it a field further down", "class of rdpmc-truncates", ON("ice-lake"));
DEFECT(rdpmc_metrics_never_clears, LOST(metrics_read_by_rdpmc, true),
       "RDPMC of PERF_METRICS never clears anything, even when enabled", "class: a capability without the feature",
       ON("lunar-lake"));

STAND_IN(rdpmc_metrics_always_clears, metrics_read_by_rdpmc)
{
    uint64_t *control = &m->controls.stored[STORED_FIXED_CTR_CTRL], was = *control;
    if (strikes())
        *control |= FIXED_METRICS_CLEAR;
    below(metrics_read_by_rdpmc);
    *control = was;
}
DEFECT(rdpmc_metrics_always_clears, FUNCTIONS,
       "RDPMC of PERF_METRICS clears it and fixed counter 3 even when not enabled",
       "class: a mode bit that does nothing", ON("lunar-lake"));
DEFECT(rdpmc_metrics_clears_first,
       CHANGED(metrics_rdpmc_shown, (m->controls.stored[STORED_FIXED_CTR_CTRL] & FIXED_METRICS_CLEAR), 0),
       "RDPMC of PERF_METRICS clears it before it has read", "class: the order of reading and clearing",
       ON("lunar-lake"));
DEFECT(rdpmc_metrics_unchecked, CHANGED(rdpmc_allowed, !good, true), "RDPMC works at CPL 3 with CR4.PCE clear",
       "class of rdpmc-user-unchecked", ON("ice-lake"));
DEFECT(rdpmc_metrics_refused, CHANGED(rdpmc_allowed, cpl > 0 && good, false),
       "RDPMC faults at CPL 3 though CR4.PCE is set", "class of rdpmc-gp-faults", ON("ice-lake"));

/* ---- STATUS[48] */

DEFECT(metrics_status_not_set, CHANGED(status_set, true, good & ~STATUS_METRICS), "STATUS_SET does not set bit 48",
       "class of status-set-ignored", ON("ice-lake"));
DEFECT(metrics_status_stays, CHANGED(status_cleared, true, good & ~STATUS_METRICS),
       "STATUS_RESET does not clear bit 48", "class of condchgd-stays", ON("ice-lake"));
DEFECT(slots_overflow_as_metrics,
       CHANGED(overflow_status,
               !(!(m->controls.stored[STORED_GLOBAL_CTRL] & GLOBAL_METRICS)) &&
                   !(!(good & GLOBAL_FIXED(FIXED_TOPDOWN_SLOTS))),
               (good & ~GLOBAL_FIXED(FIXED_TOPDOWN_SLOTS)) | STATUS_METRICS),
       "with PERF_METRICS enabled fixed counter 3 sets bit 48 and not its own as it overflows",
       "class of status-wrong-bit", ON("ice-lake"));

/* ---- What is enumerated */

DEFECT(metrics_claimed_absent, DATA(m->p.stored[STORED_PERF_METRICS].exists = false),
       "PERF_CAPABILITIES[15] is 1 though MSR_PERF_METRICS does not exist", "class of full-width-claimed-absent",
       ON("ice-lake"));

static void slots_missing(struct model *m)
{
    m->p.fixed_bitmap &= (uint8_t)~BIT(FIXED_TOPDOWN_SLOTS);
    m->p.leaf0a[2] &= ~(uint32_t)BIT(FIXED_TOPDOWN_SLOTS);
    m->p.leaf0a[3] = (m->p.leaf0a[3] & ~(uint32_t)MASK(4, 0)) | FIXED_TOPDOWN_SLOTS;
}
DEFECT(metrics_without_slots, NO_RULE, "PERF_CAPABILITIES[15] is 1 though the counter of slots does not exist",
       "class: a feature half fused off", ON("ice-lake"), PREPARED(slots_missing));
DEFECT(metrics_enable_faults, DATA(m->p.stored[STORED_GLOBAL_CTRL].faults |= GLOBAL_METRICS),
       "GLOBAL_CTRL[48] cannot be set though PERF_CAPABILITIES[15] is 1",
       "Alder Lake's E cores, whose capabilities say so", ON("ice-lake"));
DEFECT(metrics_enable_dropped, DATA(m->p.stored[STORED_GLOBAL_CTRL].dropped |= GLOBAL_METRICS),
       "GLOBAL_CTRL[48] stays 0 though PERF_CAPABILITIES[15] is 1", "class: a feature half fused off", ON("ice-lake"));

/* ---- What good silicon may do */

STAND_IN(metrics_rounded_up, metrics_shown)
{
    fractions = below(metrics_shown);
    for (unsigned i = 0; i < METRIC_COUNT; i++)
        if ((fractions & FIELD_OF(i)) && (fractions & FIELD_OF(i)) != FIELD_OF(i))
            fractions += 1ull << 8 * i;
    return fractions;
}
VARIATION(metrics_rounded_up, FUNCTIONS, "PERF_METRICS' fields are rounded up: their sum is above the whole",
          "sums up to 102H were seen", ON("ice-lake"), ALSO_ON("sapphire-rapids"));
VARIATION(slots_overflow_sets_48,
          MAKES(overflow_status,
                (m->controls.stored[STORED_GLOBAL_CTRL] & GLOBAL_METRICS) && (good & GLOBAL_FIXED(FIXED_TOPDOWN_SLOTS))
                    ? good | STATUS_METRICS
                    : good),
          "with PERF_METRICS enabled an overflow of fixed counter 3 sets bit 48 besides its own",
          "drivers: the bit reports that either lost precision", ON("ice-lake"), ALSO_ON("sapphire-rapids"));

/* Fields as fractions of the slots in the counter now. */
STAND_IN(metrics_of_slots, metrics_kept)
{
    value = below(metrics_kept);
    uint64_t slots = m->counters.fixed[FIXED_TOPDOWN_SLOTS];
    for (unsigned i = 0; i < METRIC_COUNT; i++)
        m->topdown.metric[i] = (value >> 8 * i & WHOLE) * slots / WHOLE;
    return slots ? value : 0;
}

STAND_IN(metrics_of_slots, metrics_shown)
{
    uint64_t slots = m->counters.fixed[FIXED_TOPDOWN_SLOTS], value = 0;
    fractions = below(metrics_shown);
    for (unsigned i = 0; i < METRIC_COUNT && slots; i++) {
        uint64_t field = m->topdown.metric[i] * WHOLE / slots;
        value |= (field < WHOLE ? field : WHOLE) << 8 * i;
    }
    return fractions ? value : 0;
}
VARIATION(metrics_of_slots, FUNCTIONS,
          "PERF_METRICS is kept as parts of fixed counter 3: what is written is rounded, and lost without slots",
          "drivers: its fields are derived from that counter", ON("ice-lake"),
          ALSO_ON("sapphire-rapids", "lunar-lake"));
VARIATION(metrics_keep_level_1, DATA(m->p.stored[STORED_PERF_METRICS].dropped |= MASK(63, 32)),
          "PERF_METRICS keeps what is written to its low four fields alone", "no document says which fields do",
          ON("sapphire-rapids"));
VARIATION(metrics_one_level, DATA(m->p.metrics_levels = 1), "PERF_METRICS' second level is 0",
          "no document says when it is kept", ON("sapphire-rapids"));
VARIATION(metrics_all_retires, MAKES(metrics_shown, good ? WHOLE << 8 * METRIC_RETIRING : 0),
          "all slots retire: the other fields of PERF_METRICS are 0", "a block without misses on a narrow core",
          ON("ice-lake"));
