/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of branch records: what is recorded, what filters let through, call stacks, and writes. */
#define CHAPTERS "lbr.*"
#include "reference/deviations/stand_in.h"

/* ---- What is recorded */

DEFECT(lbr_from_to_swapped,
       AFTER(lbr_arrived, true, m->lbr.to[m->lbr.tos] = m->lbr.from[m->lbr.tos]; m->lbr.from[m->lbr.tos] = to),
       "a branch record has origin and target exchanged", "class: two buses crossed", ALSO_ON("sapphire-rapids"));
DEFECT(lbr_to_stale, LOST(lbr_arrived, true), "a branch record keeps the target of the record that it replaces",
       "class of BDD60, without a transaction");

DEFECT(lbr_top_stuck,
       BEFORE(lbr_push, true, m->lbr.tos = (uint8_t)((m->lbr.tos + m->p.lbr_depth - 1u) % m->p.lbr_depth)),
       "the top of the branch records does not move", "class: one dead pointer", ALSO_ON("conroe", "silvermont"));
DEFECT(lbr_top_downwards,
       BEFORE(lbr_push, true, m->lbr.tos = (uint8_t)((m->lbr.tos + m->p.lbr_depth - 2u) % m->p.lbr_depth)),
       "the top of the branch records counts down", "class: architectural records, where entry 0 is the newest");
DEFECT(lbr_drops_some, LOST(lbr_push, !(++noted % parameter())), "every fifth branch is not recorded",
       "class: a queue too short", PARAMETER("every", 2, 1000, 5));
DEFECT(lbr_records_twice, AFTER(lbr_push, true, below(lbr_push)), "a branch has two records",
       "SKL186's duplicate, without a freeze");
DEFECT(lbr_half_depth, AFTER(lbr_push, m->lbr.tos >= m->p.lbr_depth / 2, m->lbr.from[0] = from; m->lbr.tos = 0),
       "only half of the branch records are used", "class: depth of the generation before", ALSO_ON("sapphire-rapids"));
DEFECT(lbr_from_unsigned, BEFORE(lbr_push, true, from &= MASK(47, 0)),
       "the upper bits of a recorded origin are 0 in the upper half, too",
       "class: seen by who reads a kernel's records", ALSO_ON("conroe", "silvermont", "haswell", "lunar-lake"));
DEFECT(lbr_to_unsigned, BEFORE(lbr_arrived, true, to &= MASK(47, 0)),
       "the upper bits of a recorded target are 0 in the upper half, too", "class: where format 6 has cycles",
       ALSO_ON("conroe", "haswell", "lunar-lake"));

/* ---- When */

DEFECT(lbr_on_by_filter,
       CHANGED(lbrs_enabled, !good && m->controls.stored[STORED_LBR_SELECT] & LBR_SELECT_CPL_ABOVE, true),
       "MSR_LBR_SELECT[1] turns branch records on, DEBUGCTL[0] clear or set", "class: a bit with two meanings");
DEFECT(lbr_records_while_frozen, CHANGED(lbrs_stand, good, false),
       "LBR_FRZ set by software does not stop branch records", "class of lbr-frz-ignored");

STAND_IN(lbr_stays_frozen, lbrs_stand)
{
    noted |= below(lbrs_stand) && strikes();
    return noted;
}
DEFECT(lbr_stays_frozen, FUNCTIONS, "branch records that software has frozen never go on", "class of lbr-never-thaws");
DEFECT(lbr_of_old_not_frozen, LOST(freeze_lbrs, m->p.freeze == FREEZE_LEGACY),
       "below version 4 a PMI does not clear DEBUGCTL[0]", "AM94's class: records from after the PMI", ON("haswell"));
DEFECT(lbr_of_old_freeze_once,
       AFTER(freeze_lbrs, m->p.freeze == FREEZE_LEGACY,
             model_stored_set(m, STORED_DEBUGCTL, m->controls.stored[STORED_DEBUGCTL] & ~DEBUGCTL_FREEZE_LBRS_ON_PMI)),
       "below version 4 a PMI clears DEBUGCTL[11], too", "HSD52's class, with another bit", ON("haswell"));

STAND_IN(lbr_of_old_goes_on, lbrs_enabled)
{
    bool *on = memory(bool), enabled = below(lbrs_enabled);
    *on &= !enabled && (m->controls.stored[STORED_DEBUGCTL] & DEBUGCTL_FREEZE_LBRS_ON_PMI);
    return enabled || *on;
}

/* DEBUGCTL[0] reads 0, but recording goes on. */
DEFECT(lbr_of_old_goes_on, ALL(AFTER(freeze_lbrs, m->p.freeze == FREEZE_LEGACY, noted = true), FUNCTIONS),
       "below version 4 a PMI clears DEBUGCTL[0], but branches are still recorded",
       "AM94's class: records from after the PMI", ON("haswell"));
DEFECT(lbr_of_old_loses_pmi,
       LOST(pmi_raise,
            !(m->p.freeze != FREEZE_LEGACY || !(m->controls.stored[STORED_DEBUGCTL] & DEBUGCTL_FREEZE_LBRS_ON_PMI))),
       "below version 4 a PMI that freezes branch records is lost", "class of sampling-loses-pmi", ON("haswell"));

/* ---- Frozen by a PMI, from version 4 on */

DEFECT(lbr_freeze_loses_pmi,
       LOST(pmi_raise, !(m->p.freeze != FREEZE_STREAMLINED ||
                         !(m->controls.stored[STORED_DEBUGCTL] & DEBUGCTL_FREEZE_LBRS_ON_PMI))),
       "a PMI that freezes branch records by LBR_FRZ is lost", "class of sampling-loses-pmi",
       ALSO_ON("sapphire-rapids"));
DEFECT(lbr_freeze_once,
       AFTER(freeze_lbrs, m->p.freeze == FREEZE_STREAMLINED,
             model_stored_set(m, STORED_DEBUGCTL, m->controls.stored[STORED_DEBUGCTL] & ~DEBUGCTL_FREEZE_LBRS_ON_PMI)),
       "a PMI sets LBR_FRZ and clears DEBUGCTL[11]", "HSD52's class, with another bit", ALSO_ON("sapphire-rapids"));

/* This many branches are still recorded. */
struct late {
    uint64_t left;
};
DEFECT(lbr_freezes_late,
       ALL(AFTER(lbrs_frozen, m->p.freeze == FREEZE_STREAMLINED, memory(struct late)->left = parameter()),
           IS(lbrs_stand, below(lbrs_stand) && !memory(struct late)->left),
           NOTED(lbr_push, memory(struct late)->left && !--memory(struct late)->left, m->active.recording = false)),
       "branches of the PMI's handler are recorded before the records freeze", "freeze-at-delivery's class",
       ALSO_ON("sapphire-rapids"), PARAMETER("branches", 2, 64, 6));
DEFECT(lbr_thaws_with_counter, CHANGED(status_cleared, (good & (MASK(31, 0) | MASK(47, 32))), good | STATUS_LBR_FRZ),
       "clearing a counter's overflow bit clears LBR_FRZ, too", "status-reset-clears-neighbour's class",
       ALSO_ON("sapphire-rapids"));

/* ---- Filters */

DEFECT(lbr_filter_ignored, INSTEAD(lbr_suppressed_by, true, 0), "MSR_LBR_SELECT suppresses nothing",
       "class of lbr-select-reads-zero");
DEFECT(lbr_none_at_cpl_3, CHANGED(lbr_suppressed_by, branch->cpl_after, good | LBR_SELECT_CPL_0),
       "the filter of CPL 0 hides the branches of CPL 3 as well", "class: one ring for two",
       ALSO_ON("sapphire-rapids"));
DEFECT(lbr_kinds_ignored_at_cpl_3,
       CHANGED(lbr_suppressed_by, branch->cpl_after, good &(LBR_SELECT_CPL_0 | LBR_SELECT_CPL_ABOVE)),
       "at CPL 3 the filters of kinds of branches hide nothing", "class: a filter of the kernel's own",
       ALSO_ON("sapphire-rapids"));
DEFECT(lbr_cpl_above_ignored, CHANGED(lbr_suppressed_by, branch->cpl_after, good & ~LBR_SELECT_CPL_ABOVE),
       "bit 1 of LBR_SELECT does not hide the branches of CPL 3", "class: a dead bit", ALSO_ON("sapphire-rapids"));
DEFECT(lbr_filter_neighbour, CHANGED(lbr_suppressed_by, (good & LBR_SELECT_JUMP), good | LBR_SELECT_CONDITIONAL),
       "the filter of conditional branches suppresses jumps, too", "class of Nehalem's indirect calls");

STAND_IN(lbr_filters_not_together, lbr_suppressed_by)
{
    uint64_t bits = below(lbr_suppressed_by);
    uint64_t kinds = m->controls.stored[STORED_LBR_SELECT] & MASK(8, 2);
    uint64_t others = kinds & (kinds - 1);
    return others && strikes() ? bits & ~others : bits;
}
DEFECT(lbr_filters_not_together, FUNCTIONS, "if MSR_LBR_SELECT suppresses two kinds, only one is suppressed",
       "class: filters tried one by one");
DEFECT(lbr_rings_swapped, CHANGED(lbr_suppressed_by, true, good ^ (LBR_SELECT_CPL_0 | LBR_SELECT_CPL_ABOVE)),
       "MSR_LBR_SELECT's bits of privilege levels are exchanged", "class of os-counts-in-user");

DEFECT(lbr_both_rings_ignored,
       CHANGED(lbr_suppressed_by, !(~m->controls.stored[STORED_LBR_SELECT] & (LBR_SELECT_CPL_0 | LBR_SELECT_CPL_ABOVE)),
               good & ~(LBR_SELECT_CPL_0 | LBR_SELECT_CPL_ABOVE)),
       "with both levels suppressed branches of both are recorded", "class: a combination taken for none");

/* ---- Call stacks */

DEFECT(lbr_calls_stay, LOST(lbr_pop, true), "in call-stack mode a return leaves the record of its call",
       "HSD80's class: the stack out of step");
DEFECT(lbr_return_takes_two, AFTER(lbr_pop, true, below(lbr_pop)), "in call-stack mode a return takes two records away",
       "HSD80's class: the stack out of step");

/* ---- Writes */

DEFECT(lbr_from_write_lost, CHANGED(lbr_kept, part == LBR_PART_FROM && good, was),
       "an address written to the origin of a record is lost", "class: a register that can only be cleared",
       ALSO_ON("sapphire-rapids"), NOT_BY(ERRATUM_ON("broadwell", "BDM110", 0x306d4, 0x2f, 0, 0)));
DEFECT(lbr_to_truncated, CHANGED(lbr_kept, part == LBR_PART_TO, MASK(31, 0) & good),
       "a value written to the target of a record is cut to 32 bits", "class: the format of 32-bit records",
       ALSO_ON("lunar-lake"));
DEFECT(lbr_info_write_lost, CHANGED(lbr_kept, part == LBR_PART_INFO, good & ~LBR_INFO_MISPREDICTED),
       "a value written to a record's mispredicted flag is lost", "class: one dead bit", ALSO_ON("sapphire-rapids"));
DEFECT(lbr_zero_lost, CHANGED(lbr_kept, !good, was), "writing 0 to a branch record changes nothing",
       "class: a write of 0 that is optimised away");
DEFECT(lbr_odd_lost, CHANGED(lbr_kept, part == LBR_PART_FROM, good & ~1ull),
       "an odd address written to the origin of a record becomes even", "class: one dead bit");
DEFECT(lbr_top_write_off, CHANGED(lbr_tos_kept, true, (good + 1) % m->p.lbr_depth),
       "the top of the branch records reads one more than was written", "class: before or after the increment");
DEFECT(lbr_any_from, CHANGED(lbr_writable, !good && part == LBR_PART_FROM, true),
       "the origin of a branch record takes an address that is not canonical",
       "SKL47, KBL39, CML39 (there with processor trace on)");
DEFECT(lbr_any_to, CHANGED(lbr_writable, !good && part == LBR_PART_TO, true),
       "the target of a branch record takes an address that is not canonical",
       "SKL47, KBL39, CML39 (there with processor trace on)");

/* A write that faults changes records nevertheless. */
DEFECT(lbr_fault_writes,
       AFTER(lbr_writable, !good, for (unsigned n = 0; n < LBR_MAX; n++) m->lbr.from[n]++, m->lbr.to[n]++),
       "a write to a branch record that faults changes records", "class: written before it is checked");

/* ---- Architectural records */

DEFECT(lbr_any_depth, CHANGED(lbr_depth_allowed, !good && value, true),
       "IA32_LBR_DEPTH takes depths that leaf 1CH does not name", "class: a reserved encoding accepted",
       ON("sapphire-rapids"));
DEFECT(lbr_depth_refused, INSTEAD(lbr_depth_allowed, value == 8, false),
       "IA32_LBR_DEPTH faults at 8, which leaf 1CH names", "class: an encoding forgotten", ON("sapphire-rapids"));
DEFECT(lbr_depth_write_lost, AFTER(lbr_depth_written, true, m->lbr.depth = m->p.lbr_depth),
       "IA32_LBR_DEPTH keeps the greatest depth", "class: a register of one value", ON("sapphire-rapids"));
DEFECT(lbr_depth_clears_nothing, LOST(lbr_depth_written, true), "a write of IA32_LBR_DEPTH clears no records",
       "class: another program's branches stay to be seen", ON("sapphire-rapids"));
DEFECT(lbr_type_wrong, CHANGED(lbr_type, good == 4, 3),
       "an architectural branch record calls a relative call an indirect one", "class: one dead bit",
       ON("sapphire-rapids"));

/* ---- Further contents of records */

static void with_rtm(struct model *m)
{
    m->p.leaf7_ebx |= BIT(11);
}

DEFECT(lbr_in_transaction, AFTER(lbr_push, true, m->lbr.info[m->lbr.tos] |= LBR_INFO_IN_TX),
       "MSR_LBR_INFO_n says that each branch is in a transaction", "class: one stuck bit", ALSO_ON("sapphire-rapids"),
       PREPARED(with_rtm));
DEFECT(lbr_cycles_dead, AFTER(lbr_push, true, m->lbr.info[m->lbr.tos] &= ~LBR_INFO_CYCLES),
       "the cycles in MSR_LBR_INFO_n are 0", "class: one dead field", ALSO_ON("sapphire-rapids"));

static bool taken(const struct retired *instruction)
{
    return is_branch(instruction->kind) && instruction->taken;
}

DEFECT(lbr_inserts_filtered, CHANGED(lbr_inserts, !good && m->active.recording && taken(instruction), true),
       "the event of branch records counts branches that are filtered, too", "class: counted before the filter",
       ON("lunar-lake"));
DEFECT(lbr_inserts_while_off, CHANGED(lbr_inserts, !good && !m->active.recording && taken(instruction), true),
       "the event of branch records counts branches while recording is off",
       "class: the event of branches by another name", ON("lunar-lake"));
DEFECT(lbr_logs_unasked, CHANGED(lbr_logs, !good, true),
       "branch records have events of counters whose event select does not request it",
       "class: an enable that is not looked at", ON("lunar-lake"));
DEFECT(lbr_logs_twice, BEFORE(lbr_logged, n, n += 1), "branch records have one event too many",
       "class of iret-counted-twice", ON("lunar-lake"));
DEFECT(lbr_logs_nothing, CHANGED(lbr_told, true, 0), "branch records have no counter's events",
       "class of AAJ79, with a newer feature", ON("lunar-lake"));
DEFECT(lbr_logs_neighbour, CHANGED(lbr_told, true, good | ((good << 2 & MASK(39, 34)) | (good >> 6 & MASK(33, 32)))),
       "branch records show each counter's events for the next counter, too", "class: two fields crossed",
       ON("lunar-lake"));
DEFECT(lbr_logs_not_the_last, CHANGED(lbr_told, true, good & ~MASK(39, 38)),
       "branch records have no events of counter 3, which leaf 1CH names", "class: a table one too short",
       ON("lunar-lake"));

STAND_IN(lbr_of_both_threads, lbr_shown)
{
    uint32_t handed = __atomic_load_n(m->sharing.beside->handed[m->cpu % 2], __ATOMIC_ACQUIRE);
    value = below(lbr_shown);
    return handed ? handed : value;
}

/* The last record of a thread is shown on the other one. */
DEFECT(lbr_of_both_threads,
       ALL(AFTER(lbr_push, true,
                 __atomic_store_n(m->sharing.beside->handed[!(m->cpu % 2)], (uint32_t)from, __ATOMIC_RELEASE)),
           FUNCTIONS),
       "branch records show what the other thread of the core has recorded", "class of sibling-steals-mem-retired",
       ON("ice-lake"), ALSO_ON("sapphire-rapids"));

/* ---- In records of PEBS */

DEFECT(lbr_not_sampled, CHANGED(pebs_groups, true, good & ~(uint64_t)PEBS_DATA_LBR),
       "PEBS records leave out the group of branch records", "class of pebs-group-missing", ON("ice-lake"));
DEFECT(lbr_sampled_backwards, CHANGED(pebs_branch_age, true, entries - 1 - good),
       "PEBS records have the oldest branch record first", "class: legacy records, which count upwards", ON("ice-lake"),
       ALSO_ON("sapphire-rapids", "panther-lake"));
DEFECT(lbr_sampled_again, CHANGED(pebs_branch_age, entry >= 16, good % 16),
       "branch records from the 17th on in a PEBS record repeat the first 16", "class: an index of four bits",
       ON("ice-lake"), ALSO_ON("panther-lake"), MEANT_FOR("lbr.sampled"));
DEFECT(lbr_sampled_empty, CHANGED(pebs_branch_age, true, LBR_MAX + good),
       "the branch records in PEBS records are 0 though branches are recorded", "class: a group without its source",
       ON("ice-lake"), ALSO_ON("sapphire-rapids", "panther-lake"));

/* ---- What good silicon may do */

STAND_IN(lbr_first_from_wrong, lbr_push)
{
    replaced(lbr_push)(m, noted ? 0 : from);
    noted = false;
}

/* Recording has begun again since the last record. */
VARIATION(lbr_first_from_wrong, ALL(NOTED(lbrs_enabled, true, noted |= !good), FUNCTIONS),
          "the first branch record has a wrong origin", "BJ43, AAJ122, AAT58, BV26: after a change of clock",
          ON("sandy-bridge"), ALSO_ON("skylake"));

STAND_IN(lbr_mispredicted, lbr_push)
{
    unsigned format = m->p.perf_capabilities & PERF_CAP_LBR_FORMAT;
    bool info = format == 5 || format == 7;
    replaced(lbr_push)(m, info ? from : from | BIT(63));
    if (info)
        m->lbr.info[m->lbr.tos] |= LBR_INFO_MISPREDICTED;
}
VARIATION(lbr_mispredicted, FUNCTIONS, "branch records say that their branch was mispredicted",
          "the manual: a flag of the record; drivers of Knights Landing, of format 1", ON("haswell"),
          ALSO_ON("skylake", "goldmont-plus", "silvermont"));
VARIATION(lbr_from_sign_clear, IS(lbr_push, replaced(lbr_push)(m, from & ~MASK(62, 61))),
          "bits 62:61 of a record's origin are 0 without transactions, too", "HSD172, HSM182, BDD117, BDM127",
          ON("haswell"), ALSO_ON("broadwell"));
VARIATION(lbr_cycles_in_to, DATA(m->p.perf_capabilities = (m->p.perf_capabilities & ~PERF_CAP_LBR_FORMAT) | 6),
          "the upper bits of a record's target are the cycles since the last one", "record format 6: Goldmont",
          ON("goldmont-plus"));

static void at_power_up(struct model *m)
{
    m->lbr.tos = 5;
    for (unsigned n = 0; n < LBR_MAX; n++) {
        m->lbr.from[n] = 0x1000 + n;
        m->lbr.to[n] = 0x2000 + n;
    }
}
VARIATION(lbr_not_initialised, NO_RULE, "branch records and their top are not 0 at hand-off", "AAJ120, AAT57",
          ALSO_ON("nehalem"), PREPARED(at_power_up));
VARIATION(lbr_indirect_together,
          MAKES(lbr_suppressed_by, (good & LBR_SELECT_CALL_INDIRECT) ? good | LBR_SELECT_JUMP_INDIRECT : good),
          "the filter of indirect jumps suppresses the records of indirect calls, too", "drivers of Nehalem",
          ON("nehalem"));
VARIATION(lbr_cycles_saturated, NOTED(lbr_push, true, m->lbr.info[m->lbr.tos] |= LBR_INFO_CYCLES),
          "the cycles of each branch record are the highest value", "the manual: the count saturates");
VARIATION(lbr_flags_of_tsx, NO_RULE, "bits 62:61 of a record's origin are flags of transactions",
          "record format 4 on CPUs with RTM", ON("haswell"), PREPARED(with_rtm));

/* Another type each time. */
VARIATION(lbr_other_types, MAKES(lbr_type, good & 8 ? (uint8_t)(8 + noted++ % 8) : good),
          "a far branch has any type from 8 to 15 in its architectural record", "the manual: 1xxxb is another branch",
          ON("sapphire-rapids"), ALSO_ON("lunar-lake"));
VARIATION(lbr_none_behind_depth, IS(lbr_behind_depth, false),
          "reads and writes of architectural records beyond IA32_LBR_DEPTH fault", "no manual says what they do",
          ON("sapphire-rapids"), ALSO_ON("lunar-lake"));
VARIATION(lbr_info_undefined,
          MAKES(lbr_kept, part == LBR_PART_INFO
                              ? good ^ (MASK(55, 16) | (m->p.leaf7_ebx & BIT(11) ? 0 : LBR_INFO_IN_TX | LBR_INFO_ABORT))
                              : good),
          "undefined bits of an architectural record's flags read another value than was written",
          "the manual: 55:16, and without RTM 62:61", ON("sapphire-rapids"), ALSO_ON("lunar-lake"));

STAND_IN(lbr_calls_with_jumps, lbr_suppressed_by)
{
    uint64_t bits = below(lbr_suppressed_by);
    uint64_t jumps = LBR_SELECT_JUMP | LBR_SELECT_JUMP_INDIRECT;
    bits |= bits & LBR_SELECT_CALL ? jumps : 0;
    return bits & LBR_SELECT_RETURN ? bits | jumps | LBR_SELECT_FAR : bits;
}
VARIATION(lbr_calls_with_jumps, FUNCTIONS,
          "the filters of jumps also suppress records of relative calls and of returns, and that of far branches those "
          "of returns",
          "drivers of Nehalem and Silvermont", ON("nehalem"), ALSO_ON("silvermont"));

VARIATION(lbr_any_address, NOTED(lbr_writable, true, good = true),
          "architectural branch records take addresses that are not canonical", "no source says that they refuse them",
          ON("sapphire-rapids"), ALSO_ON("goldmont-plus", "lunar-lake"));

static void traced(struct model *m)
{
    m->trace.value[TRACE_CTL] = RTIT_CTL_TRACE_EN | RTIT_CTL_TOPA | RTIT_CTL_BRANCH_EN;
}
STAND_IN(lbr_canonical_untraced, lbr_kept)
{
    bool canonical = !(value & MASK(63, 47)) || (value & MASK(63, 47)) == MASK(63, 47);
    value = below(lbr_kept);
    return part != LBR_PART_INFO && !canonical ? was : value;
}
VARIATION(lbr_canonical_untraced,
          ALL(MAKES(lbr_writable, good || (m->trace.value[TRACE_CTL] & RTIT_CTL_TRACE_EN)),
              IS(lbrs_enabled, below(lbrs_enabled) && !(m->trace.value[TRACE_CTL] & RTIT_CTL_TRACE_EN)), FUNCTIONS),
          "firmware's trace is on: no branch is recorded, and records drop an address that is not canonical",
          "SKL47, KBL39, CML39; the manual: trace and records exclude each other", ON("skylake"), PREPARED(traced));

/* With this image's own trace, for tests of records; and with a trace that was on before, for tests of both. */
DEFECT(lbr_faults_traced, IS(lbr_answers, below(lbr_answers) && !(m->trace.value[TRACE_CTL] & RTIT_CTL_TRACE_EN)),
       "records and their top fault while a trace is on", "BDD96, BDM110; Broadwell", MEANT_FOR("errata.*"),
       MIMICS(ERRATUM_ON("broadwell", "BDM110", 0x306d4, 0x2f, 0, 0)));
VARIATION(lbr_faults_found_traced,
          IS(lbr_answers, below(lbr_answers) && !(m->trace.value[TRACE_CTL] & RTIT_CTL_TRACE_EN)),
          "firmware's trace is on, and records and their top fault as long as it is", "BDD96, BDM110", ON("broadwell"),
          PREPARED(traced));

/* Features of architectural records that leaf 1CH may lack: their bits of IA32_LBR_CTL are then reserved. */
static void lacks_feature(struct model *m, uint32_t feature)
{
    struct profile_leaf *row = leaf_row(&m->p, 0x1c, 0);
    if (row)
        row->value[1] &= ~feature;
}

VARIATION(lbr_without_levels, DATA(lacks_feature(m, (uint32_t)BIT(0))),
          "CPUID.1CH:EBX[0] is 0: architectural branch records are not filtered by privilege level",
          "the manual: a feature of its own", ON("sapphire-rapids"), ALSO_ON("clearwater-forest"));
VARIATION(lbr_without_kinds, DATA(lacks_feature(m, (uint32_t)BIT(1))),
          "CPUID.1CH:EBX[1] is 0: architectural branch records are not filtered by kind of branch",
          "the manual: a feature of its own", ON("sapphire-rapids"));
VARIATION(lbr_without_call_stack, DATA(lacks_feature(m, (uint32_t)BIT(2))),
          "CPUID.1CH:EBX[2] is 0: architectural branch records have no call-stack mode",
          "the manual: a feature of its own", ON("sapphire-rapids"));
