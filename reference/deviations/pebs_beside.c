/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of PEBS together with something else: both privilege levels, CPL 3, other counters, freezing, a trace. */
#define CHAPTERS "pebs.*"
#include "reference/deviations/stand_in.h"

#define FAR_AWAY 0x10000 /* far enough from the right address */

/* ---- Privilege levels */

static bool of_both(const struct counting *c)
{
    return c->rings == (RING_OS | RING_USR);
}

DEFECT(pebs_not_of_both_levels, CHANGED(pebs_capable, good &&of_both(c), false),
       "a counter with both OS and USR set does not sample", "class: two modes that exclude each other",
       ALSO_ON("ice-lake", "lunar-lake"), MEANT_FOR("pebs.records"));
DEFECT(pebs_both_levels_is_os, AFTER(pebs_capable, good &&of_both(c), c->rings = RING_OS),
       "a counter that samples with both OS and USR set counts at CPL 0 only", "class of AJ67",
       ALSO_ON("ice-lake", "lunar-lake"), MEANT_FOR("pebs.records"));
DEFECT(pebs_both_levels_is_usr, AFTER(pebs_capable, good &&of_both(c), c->rings = RING_USR),
       "a counter that samples with both OS and USR set counts above CPL 0 only", "class of AJ67",
       ALSO_ON("ice-lake", "lunar-lake"), MEANT_FOR("pebs.records"));

/* The level at which the last record was captured. */
struct level {
    uint8_t cpl;
};

static void note_level(struct at_work *self, const struct retired *instruction)
{
    memory(struct level)->cpl = instruction->cpl;
}

STAND_IN(ovfbuf_not_at_cpl_3, pebs_capture)
{
    note_level(self, instruction);
    below(pebs_capture);
}

STAND_IN(ovfbuf_not_at_cpl_3, pebs_threshold_status)
{
    return memory(struct level)->cpl && strikes() ? 0 : below(pebs_threshold_status);
}
DEFECT(ovfbuf_not_at_cpl_3, FUNCTIONS, "the threshold does not set STATUS[62] for a record of CPL 3", "class",
       ALSO_ON("haswell", "ice-lake"), MEANT_FOR("pebs.threshold"));

STAND_IN(threshold_pmi_not_at_cpl_3, pebs_capture)
{
    note_level(self, instruction);
    below(pebs_capture);
}

STAND_IN(threshold_pmi_not_at_cpl_3, pebs_threshold_pmi)
{
    if (!memory(struct level)->cpl || !strikes())
        below(pebs_threshold_pmi);
}
DEFECT(threshold_pmi_not_at_cpl_3, FUNCTIONS, "the threshold raises no PMI for a record of CPL 3", "class of AAJ113",
       ALSO_ON("haswell", "ice-lake"), MEANT_FOR("pebs.threshold"));

STAND_IN(threshold_early_at_cpl_3, pebs_stored)
{
    below(pebs_stored);
    if (stored == PEBS_STORED && memory(struct level)->cpl && strikes())
        model_pebs_at_threshold(m, sample);
}

STAND_IN(threshold_early_at_cpl_3, pebs_capture)
{
    note_level(self, instruction);
    below(pebs_capture);
}
DEFECT(threshold_early_at_cpl_3, FUNCTIONS, "every record of CPL 3 acts as if the threshold were reached", "class",
       ALSO_ON("haswell", "ice-lake"), MEANT_FOR("pebs.threshold"));

/* ---- Other counters than those that tests like to take: PMC2 and up, and fixed ones */

#define FIRST_ONES (PEBS_GP(0) | PEBS_GP(1))

STAND_IN(pebs_enable_sticky_of_others, stored_kept)
{
    if (which == STORED_DS_AREA)
        *memory(uint64_t) = 0;
    return below(stored_kept);
}

STAND_IN(pebs_enable_sticky_of_others, pebs_sampling)
{
    uint64_t *sampled = memory(uint64_t), sampling = below(pebs_sampling);
    uint64_t again = *sampled & m->active.mask & ~sampling & ~FIRST_ONES;
    if (again && !m->controls.stored[STORED_PEBS_ENABLE] && strikes())
        sampling |= again;
    *sampled |= sampling;
    return sampling;
}
DEFECT(pebs_enable_sticky_of_others, FUNCTIONS,
       "clearing IA32_PEBS_ENABLE does not end the sampling of counters other than PMC0 and PMC1", "class",
       ALSO_ON("haswell", "ice-lake"), MEANT_FOR("pebs.clear-enable"));

/* ---- Freezing */

STAND_IN(freeze_not_by_threshold, pebs_threshold_pmi)
{
    bool *now = memory(bool);
    *now = true;
    below(pebs_threshold_pmi);
    *now = false;
}

STAND_IN(freeze_not_by_threshold, freeze_asked)
{
    return below(freeze_asked) && !(*memory(bool) && strikes());
}
DEFECT(freeze_not_by_threshold, FUNCTIONS, "the PMI of the buffer's threshold freezes no counter", "class of SKL125",
       ALSO_ON("haswell", "ice-lake"), MEANT_FOR("pebs.freeze"));

static bool by_latency(const struct model *m, unsigned n)
{
    return m->p.event_load_latency && (m->controls.evtsel[n] & MASK(15, 0)) == m->p.event_load_latency;
}

static uint64_t latency_counters(const struct model *m)
{
    uint64_t counters = 0;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        counters |= by_latency(m, n) ? PEBS_GP(n) : 0;
    return counters;
}

#define SAMPLERS(m) ((m)->controls.stored[STORED_PEBS_ENABLE] & (MASK(31, 0) | MASK(47, 32)))
#define PLAIN_SAMPLERS(m) (SAMPLERS(m) & ~latency_counters(m))

DEFECT(freeze_spares_samplers, CHANGED(spared_by_freeze, true, good | PLAIN_SAMPLERS(m)),
       "CTR_FRZ does not stop counters that sample, but for loads by latency", "class of SKL90", ALSO_ON("ice-lake"),
       MEANT_FOR("pebs.freeze"));
DEFECT(freeze_spares_latency, CHANGED(spared_by_freeze, true, good | (SAMPLERS(m) & latency_counters(m))),
       "CTR_FRZ does not stop counters that sample loads by latency", "class of SKL90", ALSO_ON("ice-lake"),
       MEANT_FOR("pebs.freeze"));

STAND_IN(freeze_ends_sampling, pebs_sampling)
{
    uint64_t sampling = below(pebs_sampling);
    *memory(bool) |= rule(m, counters_frozen)(m);
    return *memory(bool) && strikes() ? 0 : sampling;
}

STAND_IN(freeze_ends_sampling, stored_kept)
{
    if (which == STORED_PEBS_ENABLE)
        *memory(bool) = false;
    return below(stored_kept);
}
DEFECT(freeze_ends_sampling, FUNCTIONS,
       "after a freeze counters do not sample any more until IA32_PEBS_ENABLE is written", "class", ALSO_ON("ice-lake"),
       MEANT_FOR("pebs.freeze"));

/* ---- Counters that sample, too, and others that only count */

static bool several_enabled(const struct model *m)
{
    uint64_t gp = SAMPLERS(m) & MASK(31, 0);
    return gp & (gp - 1);
}

static bool several_due(const struct model *m)
{
    unsigned due = 0;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        due += (SAMPLERS(m) >> n & 1) && (-m->counters.pmc[n] & width_mask(m->p.gp_width)) < FAR_AWAY;
    return due > 1;
}

DEFECT(pebs_2_reload_of_lowest,
       BEFORE(pebs_reset_slot, several_enabled(m) && bit >= 2 && bit < 32,
              bit = (unsigned)__builtin_ctzll(SAMPLERS(m))),
       "counters from PMC2 on are reloaded with the reset value of the lowest counter that samples",
       "class: priority of one", MEANT_FOR("pebs.*"));
DEFECT(pebs_names_enabled,
       CHANGED(pebs_named, several_enabled(m), good | BIT(31 - __builtin_clz((uint32_t)SAMPLERS(m)))),
       "every record also names the highest GP counter that samples", "class: enabled read as overflowed",
       MEANT_FOR("pebs.*"));
DEFECT(threshold_pmi_of_one_alone, LOST(pebs_threshold_pmi, several_enabled(m) && several_due(m)),
       "with two counters that sample and are close to a record the threshold raises no PMI",
       "class: an edge of several causes", MEANT_FOR("pebs.threshold"));
DEFECT(pebs_enabled_by_the_one_below, CHANGED(pebs_enabled, bit &&bit < 32 && good & BIT(bit - 1), good | BIT(bit)),
       "a counter also samples if the enable bit of the counter below it is set", "class: off by one",
       ALSO_ON("nehalem", "ice-lake"), MEANT_FOR("pebs.beside"));
DEFECT(pebs_reload_of_the_one_below, BEFORE(pebs_reset_slot, bit &&bit < 32 && (SAMPLERS(m) & BIT(bit - 1)), bit--),
       "a counter is reloaded with the reset value of the one below it, if that samples, too", "class: off by one",
       ALSO_ON("nehalem", "ice-lake"), MEANT_FOR("pebs.several"));
STAND_IN(pebs_enable_one_by_one, pebs_sampling)
{
    uint64_t sampling = below(pebs_sampling), gone = noted & m->active.mask & ~sampling;
    noted |= sampling;
    return gone && SAMPLERS(m) && strikes() ? sampling | gone : sampling;
}
DEFECT(pebs_enable_one_by_one, ALL(NOTES(stored_kept, which == STORED_PEBS_ENABLE && !value, noted = 0), FUNCTIONS),
       "a counter goes on sampling when its bit of IA32_PEBS_ENABLE alone is cleared", "class of pebs-enable-sticky",
       MEANT_FOR("pebs.clear-enable"));
DEFECT(pebs_not_beside_overflow, CHANGED(pebs_arms, m->status.bits &MASK(31, 0) & ~SAMPLERS(m), false),
       "while another counter's overflow bit is set an overflow arms no record", "class: priority of one",
       MEANT_FOR("pebs.*"));
DEFECT(ovfbuf_not_beside_trace_bit, INSTEAD(pebs_threshold_status, m->status.bits &STATUS_TRACE_TOPA_PMI, 0),
       "the threshold does not set STATUS[62] while bit 55 is set", "class: one latch for two", ON("skylake"),
       MEANT_FOR("pebs.*"));
DEFECT(pebs_not_beside_fixed, CHANGED(pebs_arms, (m->controls.stored[STORED_FIXED_CTR_CTRL] >> 4 & 7) == 2, false),
       "an overflow arms no record while fixed counter 1 is to count at CPL 3 alone", "class: crossed wires",
       MEANT_FOR("pebs.*"));

DEFECT(pebs_first_lost_at_odd_base, CHANGED(pebs_fits, buffer->index == buffer->base && buffer->base & 63, false),
       "the first record is lost if the buffer does not begin at a multiple of 64", "class: a line for an address",
       MEANT_FOR("pebs.*"));

DEFECT(pebs_off_in_odd_area, CHANGED(pebs_arms, m->controls.stored[STORED_DS_AREA] & 63, false),
       "an overflow arms no record if the DS area does not begin at a multiple of 64", "class: a line for an address",
       MEANT_FOR("pebs.*"));

/* ---- A trace */

DEFECT(pebs_not_beside_trace, CHANGED(pebs_arms, m->trace.on, false),
       "while a trace is on an overflow does not arm PEBS", "class: one buffer for two writers",
       ALSO_ON("broadwell", "ice-lake"), MEANT_FOR("pebs.traced"));
DEFECT(threshold_pmi_not_beside_trace, LOST(pebs_threshold_pmi, m->trace.on),
       "while a trace is on the threshold raises no PMI", "class: an edge of several causes",
       ALSO_ON("broadwell", "ice-lake"), MEANT_FOR("pebs.traced"));
DEFECT(ovfbuf_not_beside_trace, INSTEAD(pebs_threshold_status, m->trace.on, 0),
       "while a trace is on the threshold does not set STATUS[62]", "class: one status for two buffers",
       ALSO_ON("broadwell", "ice-lake"), MEANT_FOR("pebs.traced"));
DEFECT(pebs_ip_wrong_beside_trace,
       AFTER(pebs_capture, m->trace.on, sample->registers.rip += FAR_AWAY; sample->eventing_ip += FAR_AWAY),
       "while a trace is on a record's addresses lie 64 KB above where they should", "class of SKL120",
       ALSO_ON("broadwell", "ice-lake"), MEANT_FOR("pebs.traced"));
DEFECT(pebs_registers_wrong_beside_trace,
       AFTER(pebs_capture, m->trace.on, sample->registers.general[ARRAY_SIZE(sample->registers.general) - 1] = 0),
       "while a trace is on a record has an R15 of 0", "class: a buffer that is cleared too early",
       ALSO_ON("broadwell", "ice-lake"), MEANT_FOR("pebs.traced"));
