/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations that only the whole of a test notices: in one of many records, in one bit, in one pair, near a bound. */
#define CHAPTERS "lbr.*,topdown.*,global.*,freeze.*"
#include "reference/deviations/stand_in.h"

/* ---- Branch records */

static bool is_that_record(const struct model *m, uint64_t record)
{
    return m->lbr.tos == record % m->p.lbr_depth;
}

DEFECT(lbr_origin_off_in_one, AFTER(lbr_push, is_that_record(m, parameter()), m->lbr.from[m->lbr.tos] ^= BIT(2)),
       "one of the branch records has one bit of its origin wrong", "class: one bad cell of an array",
       MEANT_FOR("lbr.*"), PARAMETER("record", 0, 63, 5));
DEFECT(lbr_target_off_in_one, AFTER(lbr_arrived, is_that_record(m, parameter()), m->lbr.to[m->lbr.tos] ^= BIT(2)),
       "one of the branch records has one bit of its target wrong", "class: one bad cell of an array",
       MEANT_FOR("lbr.*"), PARAMETER("record", 0, 63, 5));

/* With both kinds chosen, branches of the first one are recorded. */
static uint64_t not_with(const struct model *m, uint64_t bits, uint64_t kind, uint64_t other)
{
    uint64_t chosen = m->controls.stored[STORED_LBR_SELECT];
    return chosen & kind && chosen & other ? bits & ~kind : bits;
}

DEFECT(lbr_returns_not_with_calls,
       CHANGED(lbr_suppressed_by, true, not_with(m, good, LBR_SELECT_RETURN, LBR_SELECT_CALL_INDIRECT)),
       "MSR_LBR_SELECT suppresses no returns where it suppresses indirect calls", "class: one of 21 pairs",
       MEANT_FOR("lbr.*"));
DEFECT(lbr_jumps_not_with_far, CHANGED(lbr_suppressed_by, true, not_with(m, good, LBR_SELECT_JUMP, LBR_SELECT_FAR)),
       "MSR_LBR_SELECT suppresses no jumps where it suppresses far branches", "class: one of 21 pairs",
       MEANT_FOR("lbr.*"));

/* ---- Values */

DEFECT(rdpmc_metrics_bit_lost, CHANGED(metrics_rdpmc_shown, true, good & ~BIT(22)),
       "RDPMC of PERF_METRICS reads 0 in one bit of its third field", "class: one dead bit", ON("ice-lake"),
       MEANT_FOR("topdown.*"));

/* As if a handler of the firmware ran there; all differences of two counts are right. */
#define AT_START 4000

STAND_IN(start_counts_thousands, counting_changed)
{
    below(counting_changed);
    for (uint64_t left = started & MASK(31, 0); left; left &= left - 1) {
        uint64_t *value = &m->counters.pmc[__builtin_ctzll(left)];
        if (*value < MASK(30, 0) && strikes())
            *value += AT_START;
    }
}
DEFECT(start_counts_thousands, FUNCTIONS, "each start of a counter counts 4,000 more",
       "class: microcode that is counted", MEANT_FOR("global.*"));

/* ---- One of two ways */

enum { DELIVERED = 1, STOPPED_BY_HANDLER };

STAND_IN(restart_in_handler_lost, global_ctrl_kept)
{
    uint64_t *state = memory(uint64_t), before = *state;
    *state = !value && before == DELIVERED ? STOPPED_BY_HANDLER : 0;
    uint64_t good = below(global_ctrl_kept);
    return before == STOPPED_BY_HANDLER && good && strikes() ? 0 : good;
}

/* A handler programs no counter between the two writes. */
DEFECT(restart_in_handler_lost,
       ALL(NOTES(pmi_delivered, true, noted = DELIVERED), NOTES(evtsel_kept, true, noted = 0), FUNCTIONS),
       "where a handler stops the counters by IA32_PERF_GLOBAL_CTRL, its restart by that register is lost",
       "class: the flow that CTR_FRZ replaced", MEANT_FOR("freeze.*,pmi.*,share.*"));

/* ---- One of several bounds */

DEFECT(pebs_overruns_without_threshold, CHANGED(pebs_fits, buffer->threshold < buffer->base, true),
       "with the threshold below the base, and only then, records go on past the absolute maximum",
       "class: a bound that replaces another", MEANT_FOR("pebs.*"));
DEFECT(cfg_b_takes_counter_0, DATA(m->p.cfg_b.faults &= m->p.fixed_cfg_b.faults &= ~BIT(0)),
       "CFG_B keeps the bit of counter 0, which cannot cause a reload (data)", "class: one bit that is not checked",
       ON("panther-lake"), MEANT_FOR("reload.*"));
DEFECT(cfg_b_of_first_refuses_nothing,
       CHANGED(cfg_b_kept, bit == (unsigned)__builtin_ctz(m->p.reload_gp), good & ~m->p.cfg_b.faults),
       "the first CFG_B drops bits of counters that cannot cause a reload", "class: one register without a check",
       ON("panther-lake"), MEANT_FOR("reload.*"));
