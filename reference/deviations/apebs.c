/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Deviations of architectural PEBS: its registers, which counters write records, and what good silicon may do. Those of
 * a record's contents and of its place are in apebs_record.c and apebs_buffer.c.
 */
#define CHAPTERS "apebs.*,pebs.*,enum.*"
#include "reference/deviations/stand_in.h"

#define HERE ON("panther-lake")

/* ---- Registers */

DEFECT(apebs_data_cfg_is_there, DATA(m->p.stored[STORED_PEBS_DATA_CFG].exists = true),
       "MSR_PEBS_DATA_CFG takes writes beside architectural PEBS", "class: the register of the generation before",
       HERE);
DEFECT(apebs_enable_is_there, DATA(m->p.stored[STORED_PEBS_ENABLE].exists = true),
       "IA32_PEBS_ENABLE takes writes beside architectural PEBS", "class: the register of the generation before", HERE);
DEFECT(apebs_told_group_faults, DATA(m->p.cfg_c.faults |= APEBS_GPR; m->p.fixed_cfg_c.faults |= APEBS_GPR),
       "CFG_C faults on GPR, which leaf 23H names", "class: leaf and register apart", HERE);

static uint32_t *leaf_23(struct model *m, uint32_t subleaf)
{
    struct profile_leaf *row = leaf_row(&m->p, 0x23, subleaf);
    return row ? row->value : m->p.leaves[0].value;
}

DEFECT(apebs_format_of_before,
       DATA(m->p.perf_capabilities = (m->p.perf_capabilities & ~PERF_CAP_PEBS_FORMAT) | FIELD(11, 8, 6)),
       "IA32_PERF_CAPABILITIES says format 6, leaf 23H says more", "class: leaf and register apart", HERE);
DEFECT(apebs_sub_leaf_untold, DATA(leaf_23(m, 0)[0] &= ~(1u << 4)),
       "leaf 23H has sub-leaf 5, of sampling counters, and not 4, of their groups", "class: leaf and register apart",
       HERE);
DEFECT(apebs_precise_unsampled, DATA(leaf_23(m, 5)[1] |= 1u << m->p.gp_count),
       "leaf 23H names the precise distribution of a counter that does not sample", "class: off by one", HERE);
DEFECT(apebs_base_lost, CHANGED(stored_kept, which == STORED_PEBS_BASE, was), "IA32_PEBS_BASE drops what is written",
       "class: write path left out", HERE);
DEFECT(apebs_base_drops_size, CHANGED(stored_kept, which == STORED_PEBS_BASE, good & ~APEBS_BASE_SIZE),
       "IA32_PEBS_BASE does not keep SIZE", "class: a field left out", HERE);
DEFECT(apebs_index_cuts_threshold, CHANGED(stored_kept, which == STORED_PEBS_INDEX, good & ~MASK(58, 44)),
       "IA32_PEBS_INDEX keeps 8 bits of THRESH", "class: a field that is too narrow", HERE);
DEFECT(apebs_index_cuts_written, CHANGED(stored_kept, which == STORED_PEBS_INDEX, good & ~MASK(26, 12)),
       "IA32_PEBS_INDEX keeps 8 bits of WR", "class: a field that is too narrow", HERE);
DEFECT(apebs_index_drops_en, CHANGED(stored_kept, which == STORED_PEBS_INDEX, good & ~APEBS_INDEX_EN),
       "IA32_PEBS_INDEX does not keep EN", "class: a field left out", HERE);
DEFECT(apebs_full_stays, CHANGED(stored_kept, which == STORED_PEBS_INDEX && good, good | (was & APEBS_INDEX_FULL)),
       "FULL is only cleared together with all of IA32_PEBS_INDEX", "class of BJ58: a bit stays", HERE);
DEFECT(apebs_config_drops_gpr, CHANGED(cfg_c_kept, true, good & ~APEBS_GPR), "CFG_C does not keep GPR",
       "class: a field left out", HERE);
DEFECT(apebs_config_drops_allow, CHANGED(cfg_c_kept, bit >= 32, good & ~APEBS_ALLOW),
       "CFG_C of fixed counters does not keep CNTR_ALLOW", "class: a field left out", HERE);
DEFECT(apebs_config_cuts_reload, CHANGED(cfg_c_kept, true, good & ~MASK(31, 16)), "CFG_C keeps 16 bits of RELOAD",
       "class: a field that is too narrow", HERE);

struct last_written {
    uint64_t value[64];
};

STAND_IN(apebs_config_clears_late, cfg_c_kept)
{
    struct last_written *last = memory(struct last_written);
    uint64_t before = last->value[bit];
    last->value[bit] = value = below(cfg_c_kept);
    return value || !strikes() ? value : before;
}
DEFECT(apebs_config_clears_late, FUNCTIONS, "CFG_C takes a 0 only when it is written twice",
       "class: a write that is late", HERE);

/* ---- Which counters write records */

STAND_IN(apebs_other_counters_too, apebs_enabled)
{
    if (below(apebs_enabled))
        return true;
    for (uint64_t left = model_apebs_counters(m); left; left &= left - 1)
        if (model_apebs_config(m, (unsigned)__builtin_ctzll(left)) & APEBS_EN)
            return strikes();
    return false;
}
DEFECT(apebs_other_counters_too, FUNCTIONS, "with PEBS_EN of one counter all that count write records",
       "class: one enable for all", HERE);
DEFECT(apebs_last_counter_silent, CHANGED(apebs_enabled, last_gp(m, bit) && good, false),
       "the last GP counter writes no records", "class: a counter forgotten", HERE);
DEFECT(apebs_fixed_silent, CHANGED(apebs_enabled, bit >= 32 && good, false), "fixed counters write no records",
       "class: a counter forgotten", HERE);
DEFECT(apebs_last_cpu_silent, CHANGED(apebs_on, last_cpu(m) && good, false), "the last CPU writes no records",
       "class: state of the first CPU", HERE);

STAND_IN(apebs_enable_latched, apebs_enabled)
{
    if (below(apebs_enabled))
        noted |= BIT(bit);
    return (noted >> bit & 1) && strikes();
}
DEFECT(apebs_enable_latched, FUNCTIONS, "a counter writes records on after PEBS_EN was cleared",
       "class: a control that is latched", HERE);
DEFECT(apebs_pdist_jitters, INSTEAD(pebs_shadow, precise, (uint8_t)(1 + m->pebs.arms * 3 % 7)),
       "counters with the precise distribution are late by 1 to 7 instructions", "class of pdist-jitters", HERE);

/* ---- What good silicon may do: no manual defines any of these. */

VARIATION(apebs_ovf_buffer_too, CHANGED(apebs_threshold_status, true, good | STATUS_OVF_BUFFER),
          "the threshold sets STATUS[62] besides", "no source tells whether it is ever set", HERE);
VARIATION(apebs_full_at_end, AFTER(apebs_advanced, good >= rule(m, apebs_room)(m), rule(m, apebs_overruns)(m)),
          "the record that ends at the end of the buffer sets FULL", "no source tells when it is set", HERE);

STAND_IN(apebs_full_asks, apebs_overruns)
{
    below(apebs_overruns);
    if (rule(m, apebs_held_back)(m) || !strikes())
        return;
    model_status_raise(m, rule(m, apebs_threshold_status)(m));
    rule(m, apebs_threshold_pmi)(m);
    mark_stale(m);
}
VARIATION(apebs_full_asks, FUNCTIONS, "what sets FULL also sets STATUS[54] and raises a PMI",
          "no source mentions a PMI there", HERE);
VARIATION(apebs_full_without_reload, CHANGED(apebs_skip_reloads, good, false),
          "a counter is not reloaded when its record does not fit", "pebs-tells-skips, of the generation before", HERE);
VARIATION(apebs_one_fragment, INSTEAD(apebs_fragment_most, true, ~0u), "no record comes in fragments",
          "no source tells when they do", HERE);
VARIATION(apebs_fragment_each, INSTEAD(apebs_fragment_most, true, 0), "each group of a record is a fragment",
          "no source tells when records come in fragments", HERE);
VARIATION(apebs_null_before, CHANGED(apebs_fillers, place == APEBS_BEFORE_RECORD && m->pebs.records % 2 == 0, good + 1),
          "every other record is preceded by a piece whose header has only its size",
          "Linux: such a null record is continued, and whatever precedes the basic group is skipped", HERE);
VARIATION(apebs_null_between,
          ALL(IS(apebs_fillers, below(apebs_fillers) + (place == APEBS_BETWEEN_FRAGMENTS && strikes())),
              CHANGED(apebs_fragment_most, true, good / 8)),
          "records come in small fragments, with a piece between them whose header has only its size",
          "Linux: such a null record is continued", HERE);
VARIATION(apebs_null_behind, CHANGED(apebs_fillers, place == APEBS_BEHIND_RECORD, good + 1),
          "each record, even the last, is followed by a piece whose header has only its size",
          "Linux: such a null record is skipped before the next", HERE);
VARIATION(apebs_null_first,
          CHANGED(apebs_fillers,
                  place == APEBS_BEFORE_RECORD && !(m->controls.stored[STORED_PEBS_INDEX] & APEBS_INDEX_WR),
                  good + (unsigned)parameter()),
          "a buffer begins with pieces whose headers have only their size, together as long as the shortest record",
          "class of apebs-null-before", HERE, PARAMETER("pieces", 1, 64, 4));

#define KEPT_FREE 1024 /* bytes */

VARIATION(apebs_full_before_end,
          CHANGED(apebs_fits, good && !(replaced(apebs_fits)(m, offset, size > KEPT_FREE ? size : KEPT_FREE)), false),
          "no record begins in the last 1023 bytes of the buffer, which then counts as full",
          "no source tells how much room hardware requires", HERE);

STAND_IN(apebs_record_each, apebs_write)
{
    struct pebs_sample own = *sample;
    uint64_t left = strikes() ? sample->counters : 0;
    for (; left & (left - 1); left &= left - 1) {
        own.counters = left & -left;
        own.groups = rule(m, apebs_groups)(m, own.counters);
        replaced(apebs_write)(m, &own, stopped);
    }
    own.counters = left ? left : sample->counters;
    own.groups = left && left != sample->counters ? rule(m, apebs_groups)(m, left) : sample->groups;
    replaced(apebs_write)(m, &own, stopped);
}
VARIATION(apebs_record_each, FUNCTIONS, "counters that fire together have a record each", "each has groups of its own",
          HERE);
VARIATION(apebs_zero_reloads, CHANGED(apebs_reload, !good, true), "a RELOAD of 0 is a reload like any other",
          "no source tells what it means", HERE);
VARIATION(apebs_period_exact, NOTED(apebs_reload, true, *value += strikes()),
          "the occurrence that is sampled counts towards the next period", "no manual says", HERE);
VARIATION(apebs_overflow_stays, CHANGED(pebs_acknowledged, true, 0), "a record leaves its counter's STATUS bit set",
          "no source tells what happens to it", HERE);
VARIATION(apebs_overflow_untold, CHANGED(overflow_status, true, good & ~m->pebs.sampling),
          "the overflow of a counter that samples sets no STATUS bit of its own", "no source tells whether it does",
          HERE);
VARIATION(apebs_header_tells_allow, CHANGED(apebs_header, (groups & APEBS_COUNTERS), good | APEBS_ALLOW),
          "with the counters group bit 35 of the header is set, too", "the field has that bit, and no meaning for it",
          HERE);

/* Leaves out vector registers beyond XMM, which this image does not use, and counters' values if none is allowed. */
STAND_IN(apebs_empty_left_out, apebs_present)
{
    uint64_t left = below(apebs_present) & ~(APEBS_VECTORS & ~APEBS_XMM);
    return rule(m, apebs_included)(m, groups) ? left : left & ~APEBS_COUNTERS;
}
VARIATION(apebs_empty_left_out, FUNCTIONS, "records leave out requested groups that would be empty", "nothing tells",
          HERE);
VARIATION(apebs_reserved_anything, CHANGED(apebs_reserved, true, 0x5a5a5a5a5a5a5a5aull),
          "reserved words of a record are not zeros", "they are reserved", HERE);
VARIATION(apebs_size_wider, DATA(m->p.stored[STORED_PEBS_BASE].faults &= ~BIT(4)),
          "SIZE of IA32_PEBS_BASE has five bits", "no source tells its width", HERE);
VARIATION(apebs_not_unavailable, DATA(m->p.stored[STORED_MISC_ENABLE].reset &= ~MISC_ENABLE_PEBS_UNAVAILABLE),
          "IA32_MISC_ENABLE[12] is 0 where PEBS is architectural", "it is known to be 1 on one CPU only", HERE);
VARIATION(apebs_not_in_use, CHANGED(pmi_used_by_pebs, good, false),
          "PEBS_EN of a counter does not show in IA32_PERF_GLOBAL_INUSE", "the manual mentions only IA32_PEBS_ENABLE",
          HERE);

/* Later than any ordinary PMI. */
STAND_IN(apebs_pmi_late, apebs_threshold_pmi)
{
    bool under_way = m->pmi.countdown;
    below(apebs_threshold_pmi);
    if (!under_way && m->pmi.countdown && strikes())
        m->pmi.countdown += (uint32_t)parameter();
}
VARIATION(apebs_pmi_late, FUNCTIONS, "the PMI at the threshold comes some hundred instructions late",
          "it is not precise", HERE, PARAMETER("instructions", 1, 2000, 400));
VARIATION(apebs_index_takes_reserved, DATA(m->p.stored[STORED_PEBS_INDEX].faults = 0),
          "IA32_PEBS_INDEX takes its reserved bits",
          "no public document says that they fault, and the write gate lets none through", HERE);
VARIATION(apebs_config_takes_reserved, DATA(m->p.cfg_c.faults = m->p.fixed_cfg_c.faults = 0),
          "CFG_C takes bits of groups that do not exist",
          "no public document says that they fault, and the write gate lets none through", HERE);

static void drop_counter(struct model *m)
{
    if (m->p.gp_count)
        leaf_23(m, 5)[0] &= ~(1u << (m->p.gp_count - 1));
}
VARIATION(apebs_counter_untold, NO_RULE,
          "the last GP counter, which leaf 23H does not name, has a CFG_C for PEBS all the same",
          "a CPU may have more than it enumerates", HERE, PREPARED(drop_counter));

/* Without an area page 0 would be overwritten. */
VARIATION(apebs_en_ignored,
          CHANGED(apebs_on, !good && (m->controls.stored[STORED_PEBS_BASE] & APEBS_BASE_ADDRESS), true),
          "records are written though IA32_PEBS_INDEX.EN is 0", "no source tells what PEBS_EN does without it", HERE);
VARIATION(apebs_full_ignored, CHANGED(apebs_stopped, good, false), "a record that fits is written while FULL is set",
          "the only public fact is that it reports a lack of room", HERE);
VARIATION(apebs_pmi_not_held_back, CHANGED(apebs_held_back, good, false),
          "further records raise PMIs while STATUS[54] is set", "no manual says that they are held back", HERE);

STAND_IN(apebs_pmi_freezes_nothing, apebs_threshold_pmi)
{
    uint64_t *control = &m->controls.stored[STORED_DEBUGCTL], was = *control;
    if (strikes())
        *control &= ~DEBUGCTL_FREEZE_PERFMON_ON_PMI;
    below(apebs_threshold_pmi);
    *control = was;
}
VARIATION(apebs_pmi_freezes_nothing, FUNCTIONS, "the PMI at the threshold freezes no counter though DEBUGCTL[12] is 1",
          "class of SKL125; the debug store's PMI with it is undefined (BJ92)", HERE);
VARIATION(apebs_bit_not_settable, CHANGED(status_set, true, good & ~STATUS_ARCH_PEBS),
          "STATUS_SET takes bit 54 and does not set it", "which bits it sets differs between CPUs (SKL51, SKL164)",
          HERE);
