/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of a trace's bit of STATUS and its PMI that depend on something else, and what else sets that bit. */
#define CHAPTERS "trace.*"
#include "reference/deviations/stand_in.h"

static bool overflowed(const struct model *m)
{
    return m->status.bits & (MASK(31, 0) | MASK(47, 32));
}

static bool frozen(const struct model *m)
{
    return m->status.bits & STATUS_CTR_FRZ;
}

static bool counting(const struct model *m)
{
    return m->active.count;
}

static bool of_user(const struct model *m)
{
    return m->trace.value[TRACE_CTL] & RTIT_CTL_USER;
}

#define MEANT MEANT_FOR("trace.topa-beside")

DEFECT(trace_bit_not_beside_overflow, INSTEAD(trace_pmi_status, overflowed(m), 0),
       "a full region does not set STATUS[55] while an overflow bit stands", "class: the first cause wins",
       ALSO_ON("ice-lake"), MEANT);
DEFECT(trace_bit_not_while_frozen, INSTEAD(trace_pmi_status, frozen(m), 0),
       "a full region does not set STATUS[55] while CTR_FRZ is set", "class of SKL125", ALSO_ON("ice-lake"), MEANT);
DEFECT(trace_bit_not_while_counting, INSTEAD(trace_pmi_status, counting(m), 0),
       "a full region does not set STATUS[55] while a counter counts", "class: one clock for two units",
       ALSO_ON("broadwell", "ice-lake"), MEANT);
DEFECT(trace_bit_not_of_user, INSTEAD(trace_pmi_status, of_user(m), 0),
       "a full region of a trace with User does not set STATUS[55]", "class", ALSO_ON("broadwell", "ice-lake"), MEANT);
DEFECT(trace_pmi_not_beside_overflow, LOST(trace_pmi, overflowed(m)),
       "a full region raises no PMI while an overflow bit stands", "class: an edge of several causes",
       ALSO_ON("ice-lake"), MEANT);
DEFECT(trace_pmi_not_while_frozen, LOST(trace_pmi, frozen(m)), "a full region raises no PMI while CTR_FRZ is set",
       "class of SKL125", ALSO_ON("ice-lake"), MEANT);
DEFECT(trace_pmi_not_while_counting, LOST(trace_pmi, counting(m)), "a full region raises no PMI while a counter counts",
       "class: one clock for two units", ALSO_ON("broadwell", "ice-lake"), MEANT);
DEFECT(trace_pmi_not_of_user, LOST(trace_pmi, of_user(m)), "a full region of a trace with User raises no PMI", "class",
       ALSO_ON("broadwell", "ice-lake"), MEANT);
DEFECT(trace_bit_by_overflow, CHANGED(overflow_status, wrapped && m->trace.on, good | STATUS_TRACE_TOPA_PMI),
       "an overflow sets STATUS[55] if a trace is on", "class: status decoded wrongly",
       ALSO_ON("broadwell", "ice-lake"), MEANT);
DEFECT(trace_bit_by_freeze, CHANGED(status_set, (set & STATUS_CTR_FRZ) && m->trace.on, good | STATUS_TRACE_TOPA_PMI),
       "setting CTR_FRZ sets STATUS[55] if a trace is on", "class: status decoded wrongly", ALSO_ON("ice-lake"), MEANT);

/* ---- The other way round: counters and their controls beside a trace */

DEFECT(inuse_hidden_beside_trace, INSTEAD(gp_in_use, m->trace.on, false),
       "the GP bits of INUSE are 0 while a trace is on", "class: one clock for two units", ALSO_ON("ice-lake"),
       MEANT_FOR("inuse.*,share.*"));
DEFECT(overflow_untold_beside_trace, CHANGED(overflow_status, m->trace.on, good &MASK(31, 0)),
       "a fixed counter that wraps while a trace is on sets no bit in STATUS", "class: the first cause wins",
       ALSO_ON("ice-lake"), MEANT_FOR("overflow.*,pmi.*"));
