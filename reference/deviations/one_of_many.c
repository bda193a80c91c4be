/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations that only the whole of a test notices: in one of many records, in one bit, in one pair, near a bound. */
#define CHAPTERS "lbr.*,topdown.*,global.*,freeze.*"
#include "reference/deviations/stand_in.h"

/* ---- Branch records */

static bool is_that_record(const struct model *m, uint64_t record)
{
    return m->lbr.tos == record % m->p.lbr_depth;
}

static void origin_off(struct model *m, uint64_t from)
{
    replaced(m, LBR_ORIGIN_OFF_IN_ONE, lbr_push)(m, from);
    if (is_that_record(m, parameter(m, LBR_ORIGIN_OFF_IN_ONE)) && strikes(m, LBR_ORIGIN_OFF_IN_ONE))
        m->lbr.from[m->lbr.tos] ^= BIT(2);
}
DEFECT(LBR_ORIGIN_OFF_IN_ONE, "lbr-origin-off-in-one", "one of the branch records has one bit of its origin wrong",
       "class: one bad cell of an array", MEANT_FOR("lbr.*"), PARAMETER("record", 0, 63, 5),
       STANDS_IN(FOR(lbr_push, origin_off)));

static void target_off(struct model *m, uint64_t to)
{
    replaced(m, LBR_TARGET_OFF_IN_ONE, lbr_arrived)(m, to);
    if (is_that_record(m, parameter(m, LBR_TARGET_OFF_IN_ONE)) && strikes(m, LBR_TARGET_OFF_IN_ONE))
        m->lbr.to[m->lbr.tos] ^= BIT(2);
}
DEFECT(LBR_TARGET_OFF_IN_ONE, "lbr-target-off-in-one", "one of the branch records has one bit of its target wrong",
       "class: one bad cell of an array", MEANT_FOR("lbr.*"), PARAMETER("record", 0, 63, 5),
       STANDS_IN(FOR(lbr_arrived, target_off)));

/* With both kinds chosen, branches of the first one are recorded. */
static uint64_t not_with(const struct model *m, uint64_t bits, uint64_t kind, uint64_t other)
{
    uint64_t chosen = m->controls.stored[STORED_LBR_SELECT];
    return chosen & kind && chosen & other ? bits & ~kind : bits;
}

static uint64_t returns_shown(struct model *m, const struct retired *branch)
{
    uint64_t bits = replaced(m, LBR_RETURNS_NOT_WITH_CALLS, lbr_suppressed_by)(m, branch);
    return strikes(m, LBR_RETURNS_NOT_WITH_CALLS) ? not_with(m, bits, LBR_SELECT_RETURN, LBR_SELECT_CALL_INDIRECT)
                                                  : bits;
}
DEFECT(LBR_RETURNS_NOT_WITH_CALLS, "lbr-returns-not-with-calls",
       "MSR_LBR_SELECT suppresses no returns where it suppresses indirect calls", "class: one of 21 pairs",
       MEANT_FOR("lbr.*"), STANDS_IN(FOR(lbr_suppressed_by, returns_shown)));

static uint64_t jumps_shown(struct model *m, const struct retired *branch)
{
    uint64_t bits = replaced(m, LBR_JUMPS_NOT_WITH_FAR, lbr_suppressed_by)(m, branch);
    return strikes(m, LBR_JUMPS_NOT_WITH_FAR) ? not_with(m, bits, LBR_SELECT_JUMP, LBR_SELECT_FAR) : bits;
}
DEFECT(LBR_JUMPS_NOT_WITH_FAR, "lbr-jumps-not-with-far",
       "MSR_LBR_SELECT suppresses no jumps where it suppresses far branches", "class: one of 21 pairs",
       MEANT_FOR("lbr.*"), STANDS_IN(FOR(lbr_suppressed_by, jumps_shown)));

/* ---- Values */

CHANGED(metrics_rdpmc_shown, upper_bit_lost, RDPMC_METRICS_BIT_LOST,
        strikes(m, RDPMC_METRICS_BIT_LOST) ? good & ~BIT(22) : good);
DEFECT(RDPMC_METRICS_BIT_LOST, "rdpmc-metrics-bit-lost", "RDPMC of PERF_METRICS reads 0 in one bit of its third field",
       "class: one dead bit", ON("ice-lake"), MEANT_FOR("topdown.*"),
       STANDS_IN(FOR(metrics_rdpmc_shown, upper_bit_lost)));

/* As if a handler of the firmware ran there; all differences of two counts are right. */
#define AT_START 4000

static void counts_at_start(struct model *m, uint64_t started, uint64_t stopped)
{
    replaced(m, START_COUNTS_THOUSANDS, counting_changed)(m, started, stopped);
    for (uint64_t left = started & MASK(31, 0); left; left &= left - 1) {
        uint64_t *value = &m->counters.pmc[__builtin_ctzll(left)];
        if (*value < MASK(30, 0) && strikes(m, START_COUNTS_THOUSANDS))
            *value += AT_START;
    }
}
DEFECT(START_COUNTS_THOUSANDS, "start-counts-thousands", "each start of a counter counts 4,000 more",
       "class: microcode that is counted", MEANT_FOR("global.*"), STANDS_IN(FOR(counting_changed, counts_at_start)));

/* ---- One of two ways */

enum { DELIVERED = 1, STOPPED_BY_HANDLER };

static void delivered_now(struct model *m)
{
    *memory(m, RESTART_IN_HANDLER_LOST, uint64_t) = DELIVERED;
    replaced(m, RESTART_IN_HANDLER_LOST, pmi_delivered)(m);
}

/* A handler programs no counter between the two writes. */
static uint64_t set_up_anew(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    *memory(m, RESTART_IN_HANDLER_LOST, uint64_t) = 0;
    return replaced(m, RESTART_IN_HANDLER_LOST, evtsel_kept)(m, n, was, value);
}

static uint64_t restart_lost(struct model *m, uint64_t value)
{
    uint64_t *state = memory(m, RESTART_IN_HANDLER_LOST, uint64_t), before = *state;
    *state = !value && before == DELIVERED ? STOPPED_BY_HANDLER : 0;
    value = replaced(m, RESTART_IN_HANDLER_LOST, global_ctrl_kept)(m, value);
    return before == STOPPED_BY_HANDLER && value && strikes(m, RESTART_IN_HANDLER_LOST) ? 0 : value;
}
DEFECT(RESTART_IN_HANDLER_LOST, "restart-in-handler-lost",
       "where a handler stops the counters by IA32_PERF_GLOBAL_CTRL, its restart by that register is lost",
       "class: the flow that CTR_FRZ replaced", MEANT_FOR("freeze.*,pmi.*,share.*"),
       STANDS_IN(FOR(pmi_delivered, delivered_now), FOR(evtsel_kept, set_up_anew),
                 FOR(global_ctrl_kept, restart_lost)));
