/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Deviations of architectural PEBS: its registers, which counters write records, and what good silicon may do. Those of
 * a record's contents and of its place are in apebs_record.c and apebs_buffer.c.
 */
#define CHAPTERS "apebs.*,pebs.*,enum.*"
#include "reference/deviations/stand_in.h"

#define HERE ON("panther-lake")

/* ---- Registers */

static void data_cfg_is_there(struct model *m)
{
    m->p.stored[STORED_PEBS_DATA_CFG].exists = true;
}
DEFECT(APEBS_DATA_CFG_IS_THERE, "apebs-data-cfg-is-there", "MSR_PEBS_DATA_CFG takes writes beside architectural PEBS",
       "class: the register of the generation before", HERE, DATA(data_cfg_is_there));

static void enable_is_there(struct model *m)
{
    m->p.stored[STORED_PEBS_ENABLE].exists = true;
}
DEFECT(APEBS_ENABLE_IS_THERE, "apebs-enable-is-there", "IA32_PEBS_ENABLE takes writes beside architectural PEBS",
       "class: the register of the generation before", HERE, DATA(enable_is_there));

static void gpr_denied(struct model *m)
{
    m->p.cfg_c.faults |= APEBS_GPR;
    m->p.fixed_cfg_c.faults |= APEBS_GPR;
}
DEFECT(APEBS_TOLD_GROUP_FAULTS, "apebs-told-group-faults", "CFG_C faults on GPR, which leaf 23H names",
       "class: leaf and register apart", HERE, DATA(gpr_denied));

static uint32_t *leaf_23(struct model *m, uint32_t subleaf)
{
    struct profile_leaf *row = leaf_row(&m->p, 0x23, subleaf);
    return row ? row->value : m->p.leaves[0].value;
}

static void format_of_before(struct model *m)
{
    m->p.perf_capabilities = (m->p.perf_capabilities & ~PERF_CAP_PEBS_FORMAT) | FIELD(11, 8, 6);
}
DEFECT(APEBS_FORMAT_OF_BEFORE, "apebs-format-of-before", "IA32_PERF_CAPABILITIES says format 6, leaf 23H says more",
       "class: leaf and register apart", HERE, DATA(format_of_before));

static void groups_untold(struct model *m)
{
    leaf_23(m, 0)[0] &= ~(1u << 4);
}
DEFECT(APEBS_SUB_LEAF_UNTOLD, "apebs-sub-leaf-untold",
       "leaf 23H has sub-leaf 5, of sampling counters, and not 4, of their groups", "class: leaf and register apart",
       HERE, DATA(groups_untold));

static void precise_beyond(struct model *m)
{
    leaf_23(m, 5)[1] |= 1u << m->p.gp_count;
}
DEFECT(APEBS_PRECISE_UNSAMPLED, "apebs-precise-unsampled",
       "leaf 23H names the precise distribution of a counter that does not sample", "class: off by one", HERE,
       DATA(precise_beyond));

CHANGED(stored_kept, base_lost, APEBS_BASE_LOST, which == STORED_PEBS_BASE && strikes(m, APEBS_BASE_LOST) ? was : good);
DEFECT(APEBS_BASE_LOST, "apebs-base-lost", "IA32_PEBS_BASE drops what is written", "class: write path left out", HERE,
       STANDS_IN(FOR(stored_kept, base_lost)));

CHANGED(stored_kept, size_dropped, APEBS_BASE_DROPS_SIZE,
        which == STORED_PEBS_BASE && strikes(m, APEBS_BASE_DROPS_SIZE) ? good & ~APEBS_BASE_SIZE : good);
DEFECT(APEBS_BASE_DROPS_SIZE, "apebs-base-drops-size", "IA32_PEBS_BASE does not keep SIZE", "class: a field left out",
       HERE, STANDS_IN(FOR(stored_kept, size_dropped)));

CHANGED(stored_kept, threshold_cut, APEBS_INDEX_CUTS_THRESHOLD,
        which == STORED_PEBS_INDEX && strikes(m, APEBS_INDEX_CUTS_THRESHOLD) ? good & ~MASK(58, 44) : good);
DEFECT(APEBS_INDEX_CUTS_THRESHOLD, "apebs-index-cuts-threshold", "IA32_PEBS_INDEX keeps 8 bits of THRESH",
       "class: a field that is too narrow", HERE, STANDS_IN(FOR(stored_kept, threshold_cut)));

CHANGED(stored_kept, written_cut, APEBS_INDEX_CUTS_WRITTEN,
        which == STORED_PEBS_INDEX && strikes(m, APEBS_INDEX_CUTS_WRITTEN) ? good & ~MASK(26, 12) : good);
DEFECT(APEBS_INDEX_CUTS_WRITTEN, "apebs-index-cuts-written", "IA32_PEBS_INDEX keeps 8 bits of WR",
       "class: a field that is too narrow", HERE, STANDS_IN(FOR(stored_kept, written_cut)));

CHANGED(stored_kept, en_dropped, APEBS_INDEX_DROPS_EN,
        which == STORED_PEBS_INDEX && strikes(m, APEBS_INDEX_DROPS_EN) ? good & ~APEBS_INDEX_EN : good);
DEFECT(APEBS_INDEX_DROPS_EN, "apebs-index-drops-en", "IA32_PEBS_INDEX does not keep EN", "class: a field left out",
       HERE, STANDS_IN(FOR(stored_kept, en_dropped)));

CHANGED(stored_kept, full_stays, APEBS_FULL_STAYS,
        which == STORED_PEBS_INDEX && good && strikes(m, APEBS_FULL_STAYS) ? good | (was & APEBS_INDEX_FULL) : good);
DEFECT(APEBS_FULL_STAYS, "apebs-full-stays", "FULL is only cleared together with all of IA32_PEBS_INDEX",
       "class of BJ58: a bit stays", HERE, STANDS_IN(FOR(stored_kept, full_stays)));

CHANGED(cfg_c_kept, gpr_dropped, APEBS_CONFIG_DROPS_GPR, strikes(m, APEBS_CONFIG_DROPS_GPR) ? good & ~APEBS_GPR : good);
DEFECT(APEBS_CONFIG_DROPS_GPR, "apebs-config-drops-gpr", "CFG_C does not keep GPR", "class: a field left out", HERE,
       STANDS_IN(FOR(cfg_c_kept, gpr_dropped)));

CHANGED(cfg_c_kept, allow_dropped, APEBS_CONFIG_DROPS_ALLOW,
        bit >= 32 && strikes(m, APEBS_CONFIG_DROPS_ALLOW) ? good & ~APEBS_ALLOW : good);
DEFECT(APEBS_CONFIG_DROPS_ALLOW, "apebs-config-drops-allow", "CFG_C of fixed counters does not keep CNTR_ALLOW",
       "class: a field left out", HERE, STANDS_IN(FOR(cfg_c_kept, allow_dropped)));

CHANGED(cfg_c_kept, reload_cut, APEBS_CONFIG_CUTS_RELOAD,
        strikes(m, APEBS_CONFIG_CUTS_RELOAD) ? good & ~MASK(31, 16) : good);
DEFECT(APEBS_CONFIG_CUTS_RELOAD, "apebs-config-cuts-reload", "CFG_C keeps 16 bits of RELOAD",
       "class: a field that is too narrow", HERE, STANDS_IN(FOR(cfg_c_kept, reload_cut)));

struct last_written {
    uint64_t value[64];
};

static uint64_t cleared_late(struct model *m, unsigned bit, uint64_t value)
{
    struct last_written *last = memory(m, APEBS_CONFIG_CLEARS_LATE, struct last_written);
    uint64_t before = last->value[bit];
    last->value[bit] = value = replaced(m, APEBS_CONFIG_CLEARS_LATE, cfg_c_kept)(m, bit, value);
    return value || !strikes(m, APEBS_CONFIG_CLEARS_LATE) ? value : before;
}
DEFECT(APEBS_CONFIG_CLEARS_LATE, "apebs-config-clears-late", "CFG_C takes a 0 only when it is written twice",
       "class: a write that is late", HERE, STANDS_IN(FOR(cfg_c_kept, cleared_late)));

/* ---- Which counters write records */

static bool enabled_by_any(struct model *m, unsigned bit)
{
    if (replaced(m, APEBS_OTHER_COUNTERS_TOO, apebs_enabled)(m, bit))
        return true;
    for (uint64_t left = model_apebs_counters(m); left; left &= left - 1)
        if (model_apebs_config(m, (unsigned)__builtin_ctzll(left)) & APEBS_EN)
            return strikes(m, APEBS_OTHER_COUNTERS_TOO);
    return false;
}
DEFECT(APEBS_OTHER_COUNTERS_TOO, "apebs-other-counters-too", "with PEBS_EN of one counter all that count write records",
       "class: one enable for all", HERE, STANDS_IN(FOR(apebs_enabled, enabled_by_any)));

INSTEAD(apebs_enabled, never_the_last,
        below(APEBS_LAST_COUNTER_SILENT, apebs_enabled) && !(last_gp(m, bit) && strikes(m, APEBS_LAST_COUNTER_SILENT)));
DEFECT(APEBS_LAST_COUNTER_SILENT, "apebs-last-counter-silent", "the last GP counter writes no records",
       "class: a counter forgotten", HERE, STANDS_IN(FOR(apebs_enabled, never_the_last)));

INSTEAD(apebs_enabled, never_fixed,
        below(APEBS_FIXED_SILENT, apebs_enabled) && !(bit >= 32 && strikes(m, APEBS_FIXED_SILENT)));
DEFECT(APEBS_FIXED_SILENT, "apebs-fixed-silent", "fixed counters write no records", "class: a counter forgotten", HERE,
       STANDS_IN(FOR(apebs_enabled, never_fixed)));

INSTEAD(apebs_on, silent_on_last,
        below(APEBS_LAST_CPU_SILENT, apebs_on) && !(last_cpu(m) && strikes(m, APEBS_LAST_CPU_SILENT)));
DEFECT(APEBS_LAST_CPU_SILENT, "apebs-last-cpu-silent", "the last CPU writes no records",
       "class: state of the first CPU", HERE, STANDS_IN(FOR(apebs_on, silent_on_last)));

struct latched {
    uint64_t counters;
};

static bool once_enabled(struct model *m, unsigned bit)
{
    struct latched *latched = memory(m, APEBS_ENABLE_LATCHED, struct latched);
    if (replaced(m, APEBS_ENABLE_LATCHED, apebs_enabled)(m, bit))
        latched->counters |= BIT(bit);
    return (latched->counters >> bit & 1) && strikes(m, APEBS_ENABLE_LATCHED);
}
DEFECT(APEBS_ENABLE_LATCHED, "apebs-enable-latched", "a counter writes records on after PEBS_EN was cleared",
       "class: a control that is latched", HERE, STANDS_IN(FOR(apebs_enabled, once_enabled)));

INSTEAD(pebs_shadow, shadowed,
        (precise && strikes(m, APEBS_PDIST_JITTERS)) ? (uint8_t)(1 + m->pebs.arms * 3 % 7)
                                                     : below(APEBS_PDIST_JITTERS, pebs_shadow));
DEFECT(APEBS_PDIST_JITTERS, "apebs-pdist-jitters",
       "counters with the precise distribution are late by 1 to 7 instructions", "class of pdist-jitters", HERE,
       STANDS_IN(FOR(pebs_shadow, shadowed)));

/* ---- What good silicon may do: no manual defines any of these. */

CHANGED(apebs_threshold_status, both_bits, APEBS_OVF_BUFFER_TOO,
        strikes(m, APEBS_OVF_BUFFER_TOO) ? good | STATUS_OVF_BUFFER : good);
VARIATION(APEBS_OVF_BUFFER_TOO, "apebs-ovf-buffer-too", "the threshold sets STATUS[62] besides",
          "no source tells whether it is ever set", HERE, STANDS_IN(FOR(apebs_threshold_status, both_bits)));

static uint64_t full_at_end(struct model *m, uint64_t offset, uint32_t size)
{
    offset = replaced(m, APEBS_FULL_AT_END, apebs_advanced)(m, offset, size);
    if (offset >= rule(m, apebs_room)(m) && strikes(m, APEBS_FULL_AT_END))
        rule(m, apebs_overruns)(m);
    return offset;
}
VARIATION(APEBS_FULL_AT_END, "apebs-full-at-end", "the record that ends at the end of the buffer sets FULL",
          "no source tells when it is set", HERE, STANDS_IN(FOR(apebs_advanced, full_at_end)));

static void full_asks(struct model *m)
{
    replaced(m, APEBS_FULL_ASKS, apebs_overruns)(m);
    if (rule(m, apebs_held_back)(m) || !strikes(m, APEBS_FULL_ASKS))
        return;
    model_status_raise(m, rule(m, apebs_threshold_status)(m));
    rule(m, apebs_threshold_pmi)(m);
    mark_stale(m);
}
VARIATION(APEBS_FULL_ASKS, "apebs-full-asks", "what sets FULL also sets STATUS[54] and raises a PMI",
          "no source mentions a PMI there", HERE, STANDS_IN(FOR(apebs_overruns, full_asks)));

INSTEAD(apebs_skip_reloads, stays_while_full,
        below(APEBS_FULL_WITHOUT_RELOAD, apebs_skip_reloads) && !strikes(m, APEBS_FULL_WITHOUT_RELOAD));
VARIATION(APEBS_FULL_WITHOUT_RELOAD, "apebs-full-without-reload",
          "a counter is not reloaded when its record does not fit", "pebs-tells-skips, of the generation before", HERE,
          STANDS_IN(FOR(apebs_skip_reloads, stays_while_full)));

INSTEAD(apebs_fragment_most, one_fragment,
        strikes(m, APEBS_ONE_FRAGMENT) ? ~0u : below(APEBS_ONE_FRAGMENT, apebs_fragment_most));
VARIATION(APEBS_ONE_FRAGMENT, "apebs-one-fragment", "no record comes in fragments", "no source tells when they do",
          HERE, STANDS_IN(FOR(apebs_fragment_most, one_fragment)));

INSTEAD(apebs_fragment_most, each_by_itself,
        strikes(m, APEBS_FRAGMENT_EACH) ? 0 : below(APEBS_FRAGMENT_EACH, apebs_fragment_most));
VARIATION(APEBS_FRAGMENT_EACH, "apebs-fragment-each", "each group of a record is a fragment",
          "no source tells when records come in fragments", HERE, STANDS_IN(FOR(apebs_fragment_most, each_by_itself)));

INSTEAD(apebs_fillers, null_before,
        below(APEBS_NULL_BEFORE, apebs_fillers) +
            (place == APEBS_BEFORE_RECORD && m->pebs.records % 2 == 0 && strikes(m, APEBS_NULL_BEFORE)));
VARIATION(APEBS_NULL_BEFORE, "apebs-null-before",
          "every other record is preceded by a piece whose header has only its size",
          "Linux: such a null record is continued, and whatever precedes the basic group is skipped", HERE,
          STANDS_IN(FOR(apebs_fillers, null_before)));

INSTEAD(apebs_fillers, null_between,
        below(APEBS_NULL_BETWEEN, apebs_fillers) +
            (place == APEBS_BETWEEN_FRAGMENTS && strikes(m, APEBS_NULL_BETWEEN)));

CHANGED(apebs_fragment_most, small_fragments, APEBS_NULL_BETWEEN, strikes(m, APEBS_NULL_BETWEEN) ? good / 8 : good);
VARIATION(APEBS_NULL_BETWEEN, "apebs-null-between",
          "records come in small fragments, with a piece between them whose header has only its size",
          "Linux: such a null record is continued", HERE,
          STANDS_IN(FOR(apebs_fillers, null_between), FOR(apebs_fragment_most, small_fragments)));

INSTEAD(apebs_fillers, null_behind,
        below(APEBS_NULL_BEHIND, apebs_fillers) + (place == APEBS_BEHIND_RECORD && strikes(m, APEBS_NULL_BEHIND)));
VARIATION(APEBS_NULL_BEHIND, "apebs-null-behind",
          "each record, even the last, is followed by a piece whose header has only its size",
          "Linux: such a null record is skipped before the next", HERE, STANDS_IN(FOR(apebs_fillers, null_behind)));

#define KEPT_FREE 1024 /* bytes */

INSTEAD(apebs_fits, leaves_some,
        below(APEBS_FULL_BEFORE_END, apebs_fits) &&
            (replaced(m, APEBS_FULL_BEFORE_END, apebs_fits)(m, offset, size > KEPT_FREE ? size : KEPT_FREE) ||
             !strikes(m, APEBS_FULL_BEFORE_END)));
VARIATION(APEBS_FULL_BEFORE_END, "apebs-full-before-end",
          "no record begins in the last 1023 bytes of the buffer, which then counts as full",
          "no source tells how much room hardware requires", HERE, STANDS_IN(FOR(apebs_fits, leaves_some)));

static void one_for_each(struct model *m, const struct pebs_sample *sample, bool stopped)
{
    struct pebs_sample own = *sample;
    uint64_t left = strikes(m, APEBS_RECORD_EACH) ? sample->counters : 0;
    for (; left & (left - 1); left &= left - 1) {
        own.counters = left & -left;
        own.groups = rule(m, apebs_groups)(m, own.counters);
        replaced(m, APEBS_RECORD_EACH, apebs_write)(m, &own, stopped);
    }
    own.counters = left ? left : sample->counters;
    own.groups = left && left != sample->counters ? rule(m, apebs_groups)(m, left) : sample->groups;
    replaced(m, APEBS_RECORD_EACH, apebs_write)(m, &own, stopped);
}
VARIATION(APEBS_RECORD_EACH, "apebs-record-each", "counters that fire together have a record each",
          "each has groups of its own", HERE, STANDS_IN(FOR(apebs_write, one_for_each)));

INSTEAD(apebs_reload, loads_zero, below(APEBS_ZERO_RELOADS, apebs_reload) || strikes(m, APEBS_ZERO_RELOADS));
VARIATION(APEBS_ZERO_RELOADS, "apebs-zero-reloads", "a RELOAD of 0 is a reload like any other",
          "no source tells what it means", HERE, STANDS_IN(FOR(apebs_reload, loads_zero)));

static bool counted_in(struct model *m, unsigned bit, uint64_t *value)
{
    bool reloads = replaced(m, APEBS_PERIOD_EXACT, apebs_reload)(m, bit, value);
    *value += strikes(m, APEBS_PERIOD_EXACT);
    return reloads;
}
VARIATION(APEBS_PERIOD_EXACT, "apebs-period-exact", "the occurrence that is sampled counts towards the next period",
          "no manual says", HERE, STANDS_IN(FOR(apebs_reload, counted_in)));

CHANGED(pebs_acknowledged, unacknowledged, APEBS_OVERFLOW_STAYS, strikes(m, APEBS_OVERFLOW_STAYS) ? 0 : good);
VARIATION(APEBS_OVERFLOW_STAYS, "apebs-overflow-stays", "a record leaves its counter's STATUS bit set",
          "no source tells what happens to it", HERE, STANDS_IN(FOR(pebs_acknowledged, unacknowledged)));

CHANGED(overflow_status, sampling_untold, APEBS_OVERFLOW_UNTOLD,
        strikes(m, APEBS_OVERFLOW_UNTOLD) ? good & ~m->pebs.sampling : good);
VARIATION(APEBS_OVERFLOW_UNTOLD, "apebs-overflow-untold",
          "the overflow of a counter that samples sets no STATUS bit of its own", "no source tells whether it does",
          HERE, STANDS_IN(FOR(overflow_status, sampling_untold)));

CHANGED(apebs_header, allow_shown, APEBS_HEADER_TELLS_ALLOW,
        (groups & APEBS_COUNTERS) && strikes(m, APEBS_HEADER_TELLS_ALLOW) ? good | APEBS_ALLOW : good);
VARIATION(APEBS_HEADER_TELLS_ALLOW, "apebs-header-tells-allow",
          "with the counters group bit 35 of the header is set, too", "the field has that bit, and no meaning for it",
          HERE, STANDS_IN(FOR(apebs_header, allow_shown)));

/* Leaves out vector registers beyond XMM, which this image does not use, and counters' values if none is allowed. */
static uint64_t full_alone(struct model *m, uint64_t groups)
{
    uint64_t left = replaced(m, APEBS_EMPTY_LEFT_OUT, apebs_present)(m, groups) & ~(APEBS_VECTORS & ~APEBS_XMM);
    return rule(m, apebs_included)(m, groups) ? left : left & ~APEBS_COUNTERS;
}
VARIATION(APEBS_EMPTY_LEFT_OUT, "apebs-empty-left-out", "records leave out requested groups that would be empty",
          "nothing tells", HERE, STANDS_IN(FOR(apebs_present, full_alone)));

static uint64_t anything(struct model *m)
{
    uint64_t word = replaced(m, APEBS_RESERVED_ANYTHING, apebs_reserved)(m);
    return strikes(m, APEBS_RESERVED_ANYTHING) ? 0x5a5a5a5a5a5a5a5aull : word;
}
VARIATION(APEBS_RESERVED_ANYTHING, "apebs-reserved-anything", "reserved words of a record are not zeros",
          "they are reserved", HERE, STANDS_IN(FOR(apebs_reserved, anything)));

static void more_pages(struct model *m)
{
    m->p.stored[STORED_PEBS_BASE].faults &= ~BIT(4);
}
VARIATION(APEBS_SIZE_WIDER, "apebs-size-wider", "SIZE of IA32_PEBS_BASE has five bits", "no source tells its width",
          HERE, DATA(more_pages));

static void available(struct model *m)
{
    m->p.stored[STORED_MISC_ENABLE].reset &= ~MISC_ENABLE_PEBS_UNAVAILABLE;
}
VARIATION(APEBS_NOT_UNAVAILABLE, "apebs-not-unavailable", "IA32_MISC_ENABLE[12] is 0 where PEBS is architectural",
          "it is known to be 1 on one CPU only", HERE, DATA(available));

INSTEAD(pmi_used_by_pebs, not_in_use, below(APEBS_NOT_IN_USE, pmi_used_by_pebs) && !strikes(m, APEBS_NOT_IN_USE));
VARIATION(APEBS_NOT_IN_USE, "apebs-not-in-use", "PEBS_EN of a counter does not show in IA32_PERF_GLOBAL_INUSE",
          "the manual mentions only IA32_PEBS_ENABLE", HERE, STANDS_IN(FOR(pmi_used_by_pebs, not_in_use)));

/* Later than any ordinary PMI. */
static void some_late(struct model *m)
{
    bool under_way = m->pmi.countdown;
    replaced(m, APEBS_PMI_LATE, apebs_threshold_pmi)(m);
    if (!under_way && m->pmi.countdown && strikes(m, APEBS_PMI_LATE))
        m->pmi.countdown += (uint32_t)parameter(m, APEBS_PMI_LATE);
}
VARIATION(APEBS_PMI_LATE, "apebs-pmi-late", "the PMI at the threshold comes some hundred instructions late",
          "it is not precise", HERE, PARAMETER("instructions", 1, 2000, 400),
          STANDS_IN(FOR(apebs_threshold_pmi, some_late)));

static void index_takes_reserved(struct model *m)
{
    m->p.stored[STORED_PEBS_INDEX].faults = 0;
}
VARIATION(APEBS_INDEX_TAKES_RESERVED, "apebs-index-takes-reserved", "IA32_PEBS_INDEX takes its reserved bits",
          "no public document says that they fault, and the write gate lets none through", HERE,
          DATA(index_takes_reserved));

static void config_takes_reserved(struct model *m)
{
    m->p.cfg_c.faults = m->p.fixed_cfg_c.faults = 0;
}
VARIATION(APEBS_CONFIG_TAKES_RESERVED, "apebs-config-takes-reserved", "CFG_C takes bits of groups that do not exist",
          "no public document says that they fault, and the write gate lets none through", HERE,
          DATA(config_takes_reserved));

static void counter_untold(struct model *m)
{
    if (m->p.gp_count)
        leaf_23(m, 5)[0] &= ~(1u << (m->p.gp_count - 1));
}
VARIATION(APEBS_COUNTER_UNTOLD, "apebs-counter-untold",
          "the last GP counter, which leaf 23H does not name, has a CFG_C for PEBS all the same",
          "a CPU may have more than it enumerates", HERE, DATA(counter_untold));

static bool on_without_en(struct model *m)
{
    bool somewhere = m->controls.stored[STORED_PEBS_BASE] & APEBS_BASE_ADDRESS; /* else page 0 would be overwritten */
    return replaced(m, APEBS_EN_IGNORED, apebs_on)(m) || (somewhere && strikes(m, APEBS_EN_IGNORED));
}
VARIATION(APEBS_EN_IGNORED, "apebs-en-ignored", "records are written though IA32_PEBS_INDEX.EN is 0",
          "no source tells what PEBS_EN does without it", HERE, STANDS_IN(FOR(apebs_on, on_without_en)));

INSTEAD(apebs_stopped, full_ignored, below(APEBS_FULL_IGNORED, apebs_stopped) && !strikes(m, APEBS_FULL_IGNORED));
VARIATION(APEBS_FULL_IGNORED, "apebs-full-ignored", "a record that fits is written while FULL is set",
          "the only public fact is that it reports a lack of room", HERE, STANDS_IN(FOR(apebs_stopped, full_ignored)));

INSTEAD(apebs_held_back, not_held_back,
        below(APEBS_PMI_NOT_HELD_BACK, apebs_held_back) && !strikes(m, APEBS_PMI_NOT_HELD_BACK));
VARIATION(APEBS_PMI_NOT_HELD_BACK, "apebs-pmi-not-held-back", "further records raise PMIs while STATUS[54] is set",
          "no manual says that they are held back", HERE, STANDS_IN(FOR(apebs_held_back, not_held_back)));

static void unfrozen(struct model *m)
{
    uint64_t *control = &m->controls.stored[STORED_DEBUGCTL], was = *control;
    if (strikes(m, APEBS_PMI_FREEZES_NOTHING))
        *control &= ~DEBUGCTL_FREEZE_PERFMON_ON_PMI;
    replaced(m, APEBS_PMI_FREEZES_NOTHING, apebs_threshold_pmi)(m);
    *control = was;
}
VARIATION(APEBS_PMI_FREEZES_NOTHING, "apebs-pmi-freezes-nothing",
          "the PMI at the threshold freezes no counter though DEBUGCTL[12] is 1",
          "class of SKL125; the debug store's PMI with it is undefined (BJ92)", HERE,
          STANDS_IN(FOR(apebs_threshold_pmi, unfrozen)));

CHANGED(status_set, not_settable, APEBS_BIT_NOT_SETTABLE,
        strikes(m, APEBS_BIT_NOT_SETTABLE) ? good & ~STATUS_ARCH_PEBS : good);
VARIATION(APEBS_BIT_NOT_SETTABLE, "apebs-bit-not-settable", "STATUS_SET takes bit 54 and does not set it",
          "which bits it sets differs between CPUs (SKL51, SKL164)", HERE, STANDS_IN(FOR(status_set, not_settable)));
