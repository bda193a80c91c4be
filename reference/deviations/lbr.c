/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of branch records: what is recorded, what filters let through, call stacks, and writes. */
#define CHAPTERS "lbr.*"
#include "reference/deviations/stand_in.h"

/* ---- What is recorded */

static void swapped(struct model *m, uint64_t to)
{
    replaced(m, LBR_FROM_TO_SWAPPED, lbr_arrived)(m, to);
    if (!strikes(m, LBR_FROM_TO_SWAPPED))
        return;
    m->lbr.to[m->lbr.tos] = m->lbr.from[m->lbr.tos];
    m->lbr.from[m->lbr.tos] = to;
}
DEFECT(LBR_FROM_TO_SWAPPED, "lbr-from-to-swapped", "a branch record has origin and target exchanged",
       "class: two buses crossed", ALSO_ON("sapphire-rapids"), STANDS_IN(FOR(lbr_arrived, swapped)));

static void not_arrived(struct model *m, uint64_t to)
{
    if (!strikes(m, LBR_TO_STALE))
        replaced(m, LBR_TO_STALE, lbr_arrived)(m, to);
}
DEFECT(LBR_TO_STALE, "lbr-to-stale", "a branch record keeps the target of the record that it replaces",
       "class of BDD60, without a transaction", STANDS_IN(FOR(lbr_arrived, not_arrived)));

static void in_place(struct model *m, uint64_t from)
{
    uint8_t top = m->lbr.tos;
    if (strikes(m, LBR_TOP_STUCK))
        m->lbr.tos = (uint8_t)((top + m->p.lbr_depth - 1u) % m->p.lbr_depth);
    replaced(m, LBR_TOP_STUCK, lbr_push)(m, from);
}
DEFECT(LBR_TOP_STUCK, "lbr-top-stuck", "the top of the branch records does not move", "class: one dead pointer",
       ALSO_ON("conroe", "silvermont"), STANDS_IN(FOR(lbr_push, in_place)));

static void downwards(struct model *m, uint64_t from)
{
    if (strikes(m, LBR_TOP_DOWNWARDS))
        m->lbr.tos = (uint8_t)((m->lbr.tos + m->p.lbr_depth - 2u) % m->p.lbr_depth);
    replaced(m, LBR_TOP_DOWNWARDS, lbr_push)(m, from);
}
DEFECT(LBR_TOP_DOWNWARDS, "lbr-top-downwards", "the top of the branch records counts down",
       "class: architectural records, where entry 0 is the newest", STANDS_IN(FOR(lbr_push, downwards)));

static void now_and_then(struct model *m, uint64_t from)
{
    uint64_t *pushed = memory(m, LBR_DROPS_SOME, uint64_t);
    if (++*pushed % parameter(m, LBR_DROPS_SOME) || !strikes(m, LBR_DROPS_SOME))
        replaced(m, LBR_DROPS_SOME, lbr_push)(m, from);
}
DEFECT(LBR_DROPS_SOME, "lbr-drops-some", "every fifth branch is not recorded", "class: a queue too short",
       PARAMETER("every", 2, 1000, 5), STANDS_IN(FOR(lbr_push, now_and_then)));

static void twice(struct model *m, uint64_t from)
{
    replaced(m, LBR_RECORDS_TWICE, lbr_push)(m, from);
    if (strikes(m, LBR_RECORDS_TWICE))
        replaced(m, LBR_RECORDS_TWICE, lbr_push)(m, from);
}
DEFECT(LBR_RECORDS_TWICE, "lbr-records-twice", "a branch has two records", "SKL186's duplicate, without a freeze",
       STANDS_IN(FOR(lbr_push, twice)));

static void half(struct model *m, uint64_t from)
{
    replaced(m, LBR_HALF_DEPTH, lbr_push)(m, from);
    if (m->lbr.tos < m->p.lbr_depth / 2 || !strikes(m, LBR_HALF_DEPTH))
        return;
    m->lbr.from[0] = from;
    m->lbr.tos = 0;
}
DEFECT(LBR_HALF_DEPTH, "lbr-half-depth", "only half of the branch records are used",
       "class: depth of the generation before", ALSO_ON("sapphire-rapids"), STANDS_IN(FOR(lbr_push, half)));

static void from_unsigned(struct model *m, uint64_t from)
{
    replaced(m, LBR_FROM_UNSIGNED, lbr_push)(m, strikes(m, LBR_FROM_UNSIGNED) ? from & MASK(47, 0) : from);
}
DEFECT(LBR_FROM_UNSIGNED, "lbr-from-unsigned", "the upper bits of a recorded origin are 0 in the upper half, too",
       "class: seen by who reads a kernel's records", ALSO_ON("conroe", "silvermont", "haswell", "lunar-lake"),
       STANDS_IN(FOR(lbr_push, from_unsigned)));

static void to_unsigned(struct model *m, uint64_t to)
{
    replaced(m, LBR_TO_UNSIGNED, lbr_arrived)(m, strikes(m, LBR_TO_UNSIGNED) ? to & MASK(47, 0) : to);
}
DEFECT(LBR_TO_UNSIGNED, "lbr-to-unsigned", "the upper bits of a recorded target are 0 in the upper half, too",
       "class: where format 6 has cycles", ALSO_ON("conroe", "haswell", "lunar-lake"),
       STANDS_IN(FOR(lbr_arrived, to_unsigned)));

/* ---- When */

INSTEAD(lbrs_enabled, on_by_filter,
        below(LBR_ON_BY_FILTER, lbrs_enabled) ||
            (m->controls.stored[STORED_LBR_SELECT] & LBR_SELECT_CPL_ABOVE && strikes(m, LBR_ON_BY_FILTER)));
DEFECT(LBR_ON_BY_FILTER, "lbr-on-by-filter", "MSR_LBR_SELECT[1] turns branch records on, DEBUGCTL[0] clear or set",
       "class: a bit with two meanings", STANDS_IN(FOR(lbrs_enabled, on_by_filter)));

INSTEAD(lbrs_stand, stand_not, below(LBR_RECORDS_WHILE_FROZEN, lbrs_stand) && !strikes(m, LBR_RECORDS_WHILE_FROZEN));
DEFECT(LBR_RECORDS_WHILE_FROZEN, "lbr-records-while-frozen", "LBR_FRZ set by software does not stop branch records",
       "class of lbr-frz-ignored", STANDS_IN(FOR(lbrs_stand, stand_not)));

static bool stand_for_ever(struct model *m)
{
    bool *ever = memory(m, LBR_STAYS_FROZEN, bool);
    *ever |= replaced(m, LBR_STAYS_FROZEN, lbrs_stand)(m) && strikes(m, LBR_STAYS_FROZEN);
    return *ever;
}
DEFECT(LBR_STAYS_FROZEN, "lbr-stays-frozen", "branch records that software has frozen never go on",
       "class of lbr-never-thaws", STANDS_IN(FOR(lbrs_stand, stand_for_ever)));

static void not_of_old(struct model *m)
{
    if (m->p.freeze != FREEZE_LEGACY || !strikes(m, LBR_OF_OLD_NOT_FROZEN))
        replaced(m, LBR_OF_OLD_NOT_FROZEN, freeze_lbrs)(m);
}
DEFECT(LBR_OF_OLD_NOT_FROZEN, "lbr-of-old-not-frozen", "below version 4 a PMI does not clear DEBUGCTL[0]",
       "AM94's class: records from after the PMI", ON("haswell"), STANDS_IN(FOR(freeze_lbrs, not_of_old)));

static void both_of_old(struct model *m)
{
    replaced(m, LBR_OF_OLD_FREEZE_ONCE, freeze_lbrs)(m);
    if (m->p.freeze == FREEZE_LEGACY && strikes(m, LBR_OF_OLD_FREEZE_ONCE))
        model_stored_set(m, STORED_DEBUGCTL, m->controls.stored[STORED_DEBUGCTL] & ~DEBUGCTL_FREEZE_LBRS_ON_PMI);
}
DEFECT(LBR_OF_OLD_FREEZE_ONCE, "lbr-of-old-freeze-once", "below version 4 a PMI clears DEBUGCTL[11], too",
       "HSD52's class, with another bit", ON("haswell"), STANDS_IN(FOR(freeze_lbrs, both_of_old)));

/* DEBUGCTL[0] reads 0, but recording goes on. */
static void frozen_by_name(struct model *m)
{
    replaced(m, LBR_OF_OLD_GOES_ON, freeze_lbrs)(m);
    if (m->p.freeze == FREEZE_LEGACY && strikes(m, LBR_OF_OLD_GOES_ON))
        *memory(m, LBR_OF_OLD_GOES_ON, bool) = true;
}
static bool on_all_the_same(struct model *m)
{
    bool *on = memory(m, LBR_OF_OLD_GOES_ON, bool), enabled = replaced(m, LBR_OF_OLD_GOES_ON, lbrs_enabled)(m);
    *on &= !enabled && (m->controls.stored[STORED_DEBUGCTL] & DEBUGCTL_FREEZE_LBRS_ON_PMI);
    return enabled || *on;
}
DEFECT(LBR_OF_OLD_GOES_ON, "lbr-of-old-goes-on",
       "below version 4 a PMI clears DEBUGCTL[0], but branches are still recorded",
       "AM94's class: records from after the PMI", ON("haswell"),
       STANDS_IN(FOR(freeze_lbrs, frozen_by_name), FOR(lbrs_enabled, on_all_the_same)));

static void lost_with_freeze(struct model *m)
{
    bool freezes = m->controls.stored[STORED_DEBUGCTL] & DEBUGCTL_FREEZE_LBRS_ON_PMI;
    if (m->p.freeze != FREEZE_LEGACY || !freezes || !strikes(m, LBR_OF_OLD_LOSES_PMI))
        replaced(m, LBR_OF_OLD_LOSES_PMI, pmi_raise)(m);
}
DEFECT(LBR_OF_OLD_LOSES_PMI, "lbr-of-old-loses-pmi", "below version 4 a PMI that freezes branch records is lost",
       "class of sampling-loses-pmi", ON("haswell"), STANDS_IN(FOR(pmi_raise, lost_with_freeze)));

/* ---- Frozen by a PMI, from version 4 on */

static void lost_if_frozen(struct model *m)
{
    bool freezes = m->controls.stored[STORED_DEBUGCTL] & DEBUGCTL_FREEZE_LBRS_ON_PMI;
    if (m->p.freeze != FREEZE_STREAMLINED || !freezes || !strikes(m, LBR_FREEZE_LOSES_PMI))
        replaced(m, LBR_FREEZE_LOSES_PMI, pmi_raise)(m);
}
DEFECT(LBR_FREEZE_LOSES_PMI, "lbr-freeze-loses-pmi", "a PMI that freezes branch records by LBR_FRZ is lost",
       "class of sampling-loses-pmi", ALSO_ON("sapphire-rapids"), STANDS_IN(FOR(pmi_raise, lost_if_frozen)));

static void once(struct model *m)
{
    replaced(m, LBR_FREEZE_ONCE, freeze_lbrs)(m);
    if (m->p.freeze == FREEZE_STREAMLINED && strikes(m, LBR_FREEZE_ONCE))
        model_stored_set(m, STORED_DEBUGCTL, m->controls.stored[STORED_DEBUGCTL] & ~DEBUGCTL_FREEZE_LBRS_ON_PMI);
}
DEFECT(LBR_FREEZE_ONCE, "lbr-freeze-once", "a PMI sets LBR_FRZ and clears DEBUGCTL[11]",
       "HSD52's class, with another bit", ALSO_ON("sapphire-rapids"), STANDS_IN(FOR(freeze_lbrs, once)));

/* This many branches are still recorded. */
struct late {
    uint64_t left;
};
static void frozen_soon(struct model *m)
{
    replaced(m, LBR_FREEZES_LATE, lbrs_frozen)(m);
    if (m->p.freeze == FREEZE_STREAMLINED && strikes(m, LBR_FREEZES_LATE))
        memory(m, LBR_FREEZES_LATE, struct late)->left = parameter(m, LBR_FREEZES_LATE);
}
INSTEAD(lbrs_stand, stand_soon, below(LBR_FREEZES_LATE, lbrs_stand) && !memory(m, LBR_FREEZES_LATE, struct late)->left);
static void push_late(struct model *m, uint64_t from)
{
    struct late *late = memory(m, LBR_FREEZES_LATE, struct late);
    replaced(m, LBR_FREEZES_LATE, lbr_push)(m, from);
    if (late->left && !--late->left)
        m->active.recording = false;
}
DEFECT(LBR_FREEZES_LATE, "lbr-freezes-late", "branches of the PMI's handler are recorded before the records freeze",
       "freeze-at-delivery's class", ALSO_ON("sapphire-rapids"), PARAMETER("branches", 2, 64, 6),
       STANDS_IN(FOR(lbrs_frozen, frozen_soon), FOR(lbrs_stand, stand_soon), FOR(lbr_push, push_late)));

static uint64_t with_counter(struct model *m, uint64_t clear)
{
    bool counter = clear & (MASK(31, 0) | MASK(47, 32));
    clear = replaced(m, LBR_THAWS_WITH_COUNTER, status_cleared)(m, clear);
    return counter && strikes(m, LBR_THAWS_WITH_COUNTER) ? clear | STATUS_LBR_FRZ : clear;
}
DEFECT(LBR_THAWS_WITH_COUNTER, "lbr-thaws-with-counter", "clearing a counter's overflow bit clears LBR_FRZ, too",
       "status-reset-clears-neighbour's class", ALSO_ON("sapphire-rapids"),
       STANDS_IN(FOR(status_cleared, with_counter)));

/* ---- Filters */

INSTEAD(lbr_suppressed_by, by_nothing,
        strikes(m, LBR_FILTER_IGNORED) ? 0 : below(LBR_FILTER_IGNORED, lbr_suppressed_by));
DEFECT(LBR_FILTER_IGNORED, "lbr-filter-ignored", "MSR_LBR_SELECT suppresses nothing", "class of lbr-select-reads-zero",
       STANDS_IN(FOR(lbr_suppressed_by, by_nothing)));

CHANGED(lbr_suppressed_by, user_as_kernel, LBR_NONE_AT_CPL_3,
        (branch->cpl_after && strikes(m, LBR_NONE_AT_CPL_3)) ? good | LBR_SELECT_CPL_0 : good);
DEFECT(LBR_NONE_AT_CPL_3, "lbr-none-at-cpl-3", "the filter of CPL 0 hides the branches of CPL 3 as well",
       "class: one ring for two", ALSO_ON("sapphire-rapids"), STANDS_IN(FOR(lbr_suppressed_by, user_as_kernel)));

static uint64_t kinds_of_kernel(struct model *m, const struct retired *branch)
{
    uint64_t bits = replaced(m, LBR_KINDS_IGNORED_AT_CPL_3, lbr_suppressed_by)(m, branch);
    bool here = branch->cpl_after && strikes(m, LBR_KINDS_IGNORED_AT_CPL_3);
    return here ? bits & (LBR_SELECT_CPL_0 | LBR_SELECT_CPL_ABOVE) : bits;
}
DEFECT(LBR_KINDS_IGNORED_AT_CPL_3, "lbr-kinds-ignored-at-cpl-3",
       "at CPL 3 the filters of kinds of branches hide nothing", "class: a filter of the kernel's own",
       ALSO_ON("sapphire-rapids"), STANDS_IN(FOR(lbr_suppressed_by, kinds_of_kernel)));

CHANGED(lbr_suppressed_by, ring_ignored_at_cpl_3, LBR_CPL_ABOVE_IGNORED,
        (branch->cpl_after && strikes(m, LBR_CPL_ABOVE_IGNORED)) ? good & ~LBR_SELECT_CPL_ABOVE : good);
DEFECT(LBR_CPL_ABOVE_IGNORED, "lbr-cpl-above-ignored", "bit 1 of LBR_SELECT does not hide the branches of CPL 3",
       "class: a dead bit", ALSO_ON("sapphire-rapids"), STANDS_IN(FOR(lbr_suppressed_by, ring_ignored_at_cpl_3)));

static uint64_t by_neighbour(struct model *m, const struct retired *branch)
{
    uint64_t bits = replaced(m, LBR_FILTER_NEIGHBOUR, lbr_suppressed_by)(m, branch);
    bool jump = bits & LBR_SELECT_JUMP;
    return jump && strikes(m, LBR_FILTER_NEIGHBOUR) ? bits | LBR_SELECT_CONDITIONAL : bits;
}
DEFECT(LBR_FILTER_NEIGHBOUR, "lbr-filter-neighbour", "the filter of conditional branches suppresses jumps, too",
       "class of Nehalem's indirect calls", STANDS_IN(FOR(lbr_suppressed_by, by_neighbour)));

static uint64_t by_first(struct model *m, const struct retired *branch)
{
    uint64_t bits = replaced(m, LBR_FILTERS_NOT_TOGETHER, lbr_suppressed_by)(m, branch);
    uint64_t kinds = m->controls.stored[STORED_LBR_SELECT] & MASK(8, 2);
    uint64_t others = kinds & (kinds - 1);
    return others && strikes(m, LBR_FILTERS_NOT_TOGETHER) ? bits & ~others : bits;
}
DEFECT(LBR_FILTERS_NOT_TOGETHER, "lbr-filters-not-together",
       "if MSR_LBR_SELECT suppresses two kinds, only one is suppressed", "class: filters tried one by one",
       STANDS_IN(FOR(lbr_suppressed_by, by_first)));

CHANGED(lbr_suppressed_by, by_other_ring, LBR_RINGS_SWAPPED,
        strikes(m, LBR_RINGS_SWAPPED) ? good ^ (LBR_SELECT_CPL_0 | LBR_SELECT_CPL_ABOVE) : good);
DEFECT(LBR_RINGS_SWAPPED, "lbr-rings-swapped", "MSR_LBR_SELECT's bits of privilege levels are exchanged",
       "class of os-counts-in-user", STANDS_IN(FOR(lbr_suppressed_by, by_other_ring)));

static uint64_t by_one_ring(struct model *m, const struct retired *branch)
{
    uint64_t rings = LBR_SELECT_CPL_0 | LBR_SELECT_CPL_ABOVE;
    uint64_t bits = replaced(m, LBR_BOTH_RINGS_IGNORED, lbr_suppressed_by)(m, branch);
    bool both = (m->controls.stored[STORED_LBR_SELECT] & rings) == rings;
    return both && strikes(m, LBR_BOTH_RINGS_IGNORED) ? bits & ~rings : bits;
}
DEFECT(LBR_BOTH_RINGS_IGNORED, "lbr-both-rings-ignored", "with both levels suppressed branches of both are recorded",
       "class: a combination taken for none", STANDS_IN(FOR(lbr_suppressed_by, by_one_ring)));

/* ---- Call stacks */

static void stays(struct model *m)
{
    if (!strikes(m, LBR_CALLS_STAY))
        replaced(m, LBR_CALLS_STAY, lbr_pop)(m);
}
DEFECT(LBR_CALLS_STAY, "lbr-calls-stay", "in call-stack mode a return leaves the record of its call",
       "HSD80's class: the stack out of step", STANDS_IN(FOR(lbr_pop, stays)));

static void takes_two(struct model *m)
{
    replaced(m, LBR_RETURN_TAKES_TWO, lbr_pop)(m);
    if (strikes(m, LBR_RETURN_TAKES_TWO))
        replaced(m, LBR_RETURN_TAKES_TWO, lbr_pop)(m);
}
DEFECT(LBR_RETURN_TAKES_TWO, "lbr-return-takes-two", "in call-stack mode a return takes two records away",
       "HSD80's class: the stack out of step", STANDS_IN(FOR(lbr_pop, takes_two)));

/* ---- Writes */

CHANGED(lbr_kept, from_lost, LBR_FROM_WRITE_LOST,
        part == LBR_PART_FROM && good && strikes(m, LBR_FROM_WRITE_LOST) ? was : good);
DEFECT(LBR_FROM_WRITE_LOST, "lbr-from-write-lost", "an address written to the origin of a record is lost",
       "class: a register that can only be cleared", ALSO_ON("sapphire-rapids"),
       NOT_BY(ERRATUM_ON("broadwell", "BDM110", 0x306d4, 0x2f, 0, 0)), STANDS_IN(FOR(lbr_kept, from_lost)));

CHANGED(lbr_kept, to_truncated, LBR_TO_TRUNCATED,
        part == LBR_PART_TO && strikes(m, LBR_TO_TRUNCATED) ? good & MASK(31, 0) : good);
DEFECT(LBR_TO_TRUNCATED, "lbr-to-truncated", "a value written to the target of a record is cut to 32 bits",
       "class: the format of 32-bit records", ALSO_ON("lunar-lake"), STANDS_IN(FOR(lbr_kept, to_truncated)));

CHANGED(lbr_kept, info_lost, LBR_INFO_WRITE_LOST,
        part == LBR_PART_INFO && strikes(m, LBR_INFO_WRITE_LOST) ? good & ~LBR_INFO_MISPREDICTED : good);
DEFECT(LBR_INFO_WRITE_LOST, "lbr-info-write-lost", "a value written to a record's mispredicted flag is lost",
       "class: one dead bit", ALSO_ON("sapphire-rapids"), STANDS_IN(FOR(lbr_kept, info_lost)));

CHANGED(lbr_kept, zero_lost, LBR_ZERO_LOST, !good && strikes(m, LBR_ZERO_LOST) ? was : good);
DEFECT(LBR_ZERO_LOST, "lbr-zero-lost", "writing 0 to a branch record changes nothing",
       "class: a write of 0 that is optimised away", STANDS_IN(FOR(lbr_kept, zero_lost)));

CHANGED(lbr_kept, odd_lost, LBR_ODD_LOST, part == LBR_PART_FROM && strikes(m, LBR_ODD_LOST) ? good & ~1ull : good);
DEFECT(LBR_ODD_LOST, "lbr-odd-lost", "an odd address written to the origin of a record becomes even",
       "class: one dead bit", STANDS_IN(FOR(lbr_kept, odd_lost)));

CHANGED(lbr_tos_kept, top_off_by_one, LBR_TOP_WRITE_OFF,
        strikes(m, LBR_TOP_WRITE_OFF) ? (good + 1) % m->p.lbr_depth : good);
DEFECT(LBR_TOP_WRITE_OFF, "lbr-top-write-off", "the top of the branch records reads one more than was written",
       "class: before or after the increment", STANDS_IN(FOR(lbr_tos_kept, top_off_by_one)));

CHANGED(lbr_writable, any_from, LBR_ANY_FROM, good || (part == LBR_PART_FROM && strikes(m, LBR_ANY_FROM)));
DEFECT(LBR_ANY_FROM, "lbr-any-from", "the origin of a branch record takes an address that is not canonical",
       "SKL47, KBL39, CML39 (there with processor trace on)", STANDS_IN(FOR(lbr_writable, any_from)));

CHANGED(lbr_writable, any_to, LBR_ANY_TO, good || (part == LBR_PART_TO && strikes(m, LBR_ANY_TO)));
DEFECT(LBR_ANY_TO, "lbr-any-to", "the target of a branch record takes an address that is not canonical",
       "SKL47, KBL39, CML39 (there with processor trace on)", STANDS_IN(FOR(lbr_writable, any_to)));

/* A write that faults changes records nevertheless. */
static bool written_before_fault(struct model *m, enum lbr_part part, uint64_t value, bool canonical)
{
    canonical = replaced(m, LBR_FAULT_WRITES, lbr_writable)(m, part, value, canonical);
    if (!canonical && strikes(m, LBR_FAULT_WRITES))
        for (unsigned n = 0; n < LBR_MAX; n++)
            m->lbr.from[n]++, m->lbr.to[n]++;
    return canonical;
}
DEFECT(LBR_FAULT_WRITES, "lbr-fault-writes", "a write to a branch record that faults changes records",
       "class: written before it is checked", STANDS_IN(FOR(lbr_writable, written_before_fault)));

/* ---- Architectural records */

INSTEAD(lbr_depth_allowed, any_depth, below(LBR_ANY_DEPTH, lbr_depth_allowed) || (value && strikes(m, LBR_ANY_DEPTH)));
DEFECT(LBR_ANY_DEPTH, "lbr-any-depth", "IA32_LBR_DEPTH takes depths that leaf 1CH does not name",
       "class: a reserved encoding accepted", ON("sapphire-rapids"), STANDS_IN(FOR(lbr_depth_allowed, any_depth)));

INSTEAD(lbr_depth_allowed, not_eight,
        value == 8 && strikes(m, LBR_DEPTH_REFUSED) ? false : below(LBR_DEPTH_REFUSED, lbr_depth_allowed));
DEFECT(LBR_DEPTH_REFUSED, "lbr-depth-refused", "IA32_LBR_DEPTH faults at 8, which leaf 1CH names",
       "class: an encoding forgotten", ON("sapphire-rapids"), STANDS_IN(FOR(lbr_depth_allowed, not_eight)));

static void depth_lost(struct model *m)
{
    replaced(m, LBR_DEPTH_WRITE_LOST, lbr_depth_written)(m);
    if (strikes(m, LBR_DEPTH_WRITE_LOST))
        m->lbr.depth = m->p.lbr_depth;
}
DEFECT(LBR_DEPTH_WRITE_LOST, "lbr-depth-write-lost", "IA32_LBR_DEPTH keeps the greatest depth",
       "class: a register of one value", ON("sapphire-rapids"), STANDS_IN(FOR(lbr_depth_written, depth_lost)));

static void not_cleared(struct model *m)
{
    if (!strikes(m, LBR_DEPTH_CLEARS_NOTHING))
        replaced(m, LBR_DEPTH_CLEARS_NOTHING, lbr_depth_written)(m);
}
DEFECT(LBR_DEPTH_CLEARS_NOTHING, "lbr-depth-clears-nothing", "a write of IA32_LBR_DEPTH clears no records",
       "class: another program's branches stay to be seen", ON("sapphire-rapids"),
       STANDS_IN(FOR(lbr_depth_written, not_cleared)));

CHANGED(lbr_type, type_of_neighbour, LBR_TYPE_WRONG, good == 4 && strikes(m, LBR_TYPE_WRONG) ? 3 : good);
DEFECT(LBR_TYPE_WRONG, "lbr-type-wrong", "an architectural branch record calls a relative call an indirect one",
       "class: one dead bit", ON("sapphire-rapids"), STANDS_IN(FOR(lbr_type, type_of_neighbour)));

/* ---- Further contents of records */

static void with_rtm(struct model *m)
{
    m->p.leaf7_ebx |= BIT(11);
}

static void in_transaction(struct model *m, uint64_t from)
{
    replaced(m, LBR_IN_TRANSACTION, lbr_push)(m, from);
    if (strikes(m, LBR_IN_TRANSACTION))
        m->lbr.info[m->lbr.tos] |= LBR_INFO_IN_TX;
}
DEFECT(LBR_IN_TRANSACTION, "lbr-in-transaction", "MSR_LBR_INFO_n says that each branch is in a transaction",
       "class: one stuck bit", ALSO_ON("sapphire-rapids"), DATA(with_rtm), STANDS_IN(FOR(lbr_push, in_transaction)));

static void no_cycles(struct model *m, uint64_t from)
{
    replaced(m, LBR_CYCLES_DEAD, lbr_push)(m, from);
    if (strikes(m, LBR_CYCLES_DEAD))
        m->lbr.info[m->lbr.tos] &= ~LBR_INFO_CYCLES;
}
DEFECT(LBR_CYCLES_DEAD, "lbr-cycles-dead", "the cycles in MSR_LBR_INFO_n are 0", "class: one dead field",
       ALSO_ON("sapphire-rapids"), STANDS_IN(FOR(lbr_push, no_cycles)));

static bool taken(const struct retired *instruction)
{
    return is_branch(instruction->kind) && instruction->taken;
}

CHANGED(lbr_inserts, inserts_filtered, LBR_INSERTS_FILTERED,
        good || (m->active.recording && taken(instruction) && strikes(m, LBR_INSERTS_FILTERED)));
DEFECT(LBR_INSERTS_FILTERED, "lbr-inserts-filtered",
       "the event of branch records counts branches that are filtered, too", "class: counted before the filter",
       ON("lunar-lake"), STANDS_IN(FOR(lbr_inserts, inserts_filtered)));

CHANGED(lbr_inserts, inserts_while_off, LBR_INSERTS_WHILE_OFF,
        good || (!m->active.recording && taken(instruction) && strikes(m, LBR_INSERTS_WHILE_OFF)));
DEFECT(LBR_INSERTS_WHILE_OFF, "lbr-inserts-while-off",
       "the event of branch records counts branches while recording is off",
       "class: the event of branches by another name", ON("lunar-lake"),
       STANDS_IN(FOR(lbr_inserts, inserts_while_off)));

INSTEAD(lbr_logs, logs_always, below(LBR_LOGS_UNASKED, lbr_logs) || strikes(m, LBR_LOGS_UNASKED));
DEFECT(LBR_LOGS_UNASKED, "lbr-logs-unasked",
       "branch records have events of counters whose event select does not request it",
       "class: an enable that is not looked at", ON("lunar-lake"), STANDS_IN(FOR(lbr_logs, logs_always)));

static uint32_t logged_twice(struct model *m, uint32_t was, uint32_t n)
{
    return replaced(m, LBR_LOGS_TWICE, lbr_logged)(m, was, n && strikes(m, LBR_LOGS_TWICE) ? n + 1 : n);
}
DEFECT(LBR_LOGS_TWICE, "lbr-logs-twice", "branch records have one event too many", "class of iret-counted-twice",
       ON("lunar-lake"), STANDS_IN(FOR(lbr_logged, logged_twice)));

CHANGED(lbr_told, nothing_told, LBR_LOGS_NOTHING, strikes(m, LBR_LOGS_NOTHING) ? 0 : good);
DEFECT(LBR_LOGS_NOTHING, "lbr-logs-nothing", "branch records have no counter's events",
       "class of AAJ79, with a newer feature", ON("lunar-lake"), STANDS_IN(FOR(lbr_told, nothing_told)));

static uint64_t told_of_neighbour(struct model *m, uint64_t counts)
{
    counts = replaced(m, LBR_LOGS_NEIGHBOUR, lbr_told)(m, counts);
    uint64_t next = (counts << 2 & MASK(39, 34)) | (counts >> 6 & MASK(33, 32));
    return strikes(m, LBR_LOGS_NEIGHBOUR) ? counts | next : counts;
}
DEFECT(LBR_LOGS_NEIGHBOUR, "lbr-logs-neighbour", "branch records show each counter's events for the next counter, too",
       "class: two fields crossed", ON("lunar-lake"), STANDS_IN(FOR(lbr_told, told_of_neighbour)));

CHANGED(lbr_told, last_untold, LBR_LOGS_NOT_THE_LAST, strikes(m, LBR_LOGS_NOT_THE_LAST) ? good & ~MASK(39, 38) : good);
DEFECT(LBR_LOGS_NOT_THE_LAST, "lbr-logs-not-the-last",
       "branch records have no events of counter 3, which leaf 1CH names", "class: a table one too short",
       ON("lunar-lake"), STANDS_IN(FOR(lbr_told, last_untold)));

/* The last record of a thread is shown on the other one. */
static void pushed_for_both(struct model *m, uint64_t from)
{
    replaced(m, LBR_OF_BOTH_THREADS, lbr_push)(m, from);
    if (strikes(m, LBR_OF_BOTH_THREADS))
        __atomic_store_n(m->sharing.beside->handed[!(m->cpu % 2)], (uint32_t)from, __ATOMIC_RELEASE);
}
static uint64_t shown_of_both(struct model *m, uint64_t value)
{
    uint32_t handed = __atomic_load_n(m->sharing.beside->handed[m->cpu % 2], __ATOMIC_ACQUIRE);
    value = replaced(m, LBR_OF_BOTH_THREADS, lbr_shown)(m, value);
    return handed ? handed : value;
}
DEFECT(LBR_OF_BOTH_THREADS, "lbr-of-both-threads", "branch records show what the other thread of the core has recorded",
       "class of sibling-steals-mem-retired", ON("ice-lake"), ALSO_ON("sapphire-rapids"),
       STANDS_IN(FOR(lbr_push, pushed_for_both), FOR(lbr_shown, shown_of_both)));

/* ---- In records of PEBS */

CHANGED(pebs_groups, not_sampled, LBR_NOT_SAMPLED,
        strikes(m, LBR_NOT_SAMPLED) ? good & ~(uint64_t)PEBS_DATA_LBR : good);
DEFECT(LBR_NOT_SAMPLED, "lbr-not-sampled", "PEBS records leave out the group of branch records",
       "class of pebs-group-missing", ON("ice-lake"), STANDS_IN(FOR(pebs_groups, not_sampled)));

CHANGED(pebs_branch_age, oldest_first, LBR_SAMPLED_BACKWARDS,
        strikes(m, LBR_SAMPLED_BACKWARDS) ? entries - 1 - good : good);
DEFECT(LBR_SAMPLED_BACKWARDS, "lbr-sampled-backwards", "PEBS records have the oldest branch record first",
       "class: legacy records, which count upwards", ON("ice-lake"), ALSO_ON("sapphire-rapids", "panther-lake"),
       STANDS_IN(FOR(pebs_branch_age, oldest_first)));

CHANGED(pebs_branch_age, sixteen_again, LBR_SAMPLED_AGAIN,
        entry >= 16 && strikes(m, LBR_SAMPLED_AGAIN) ? good % 16 : good);
DEFECT(LBR_SAMPLED_AGAIN, "lbr-sampled-again", "branch records from the 17th on in a PEBS record repeat the first 16",
       "class: an index of four bits", ON("ice-lake"), ALSO_ON("panther-lake"), MEANT_FOR("lbr.sampled"),
       STANDS_IN(FOR(pebs_branch_age, sixteen_again)));

CHANGED(pebs_branch_age, none_sampled, LBR_SAMPLED_EMPTY, strikes(m, LBR_SAMPLED_EMPTY) ? LBR_MAX + good : good);
DEFECT(LBR_SAMPLED_EMPTY, "lbr-sampled-empty", "the branch records in PEBS records are 0 though branches are recorded",
       "class: a group without its source", ON("ice-lake"), ALSO_ON("sapphire-rapids", "panther-lake"),
       STANDS_IN(FOR(pebs_branch_age, none_sampled)));

/* ---- What good silicon may do */

/* Recording has begun again since the last record. */
static bool begins(struct model *m)
{
    bool enabled = replaced(m, LBR_FIRST_FROM_WRONG, lbrs_enabled)(m);
    *memory(m, LBR_FIRST_FROM_WRONG, bool) |= !enabled;
    return enabled;
}
static void first_from_wrong(struct model *m, uint64_t from)
{
    bool *first = memory(m, LBR_FIRST_FROM_WRONG, bool);
    replaced(m, LBR_FIRST_FROM_WRONG, lbr_push)(m, *first ? 0 : from);
    *first = false;
}
VARIATION(LBR_FIRST_FROM_WRONG, "lbr-first-from-wrong", "the first branch record has a wrong origin",
          "BJ43, AAJ122, AAT58, BV26: after a change of clock", ON("sandy-bridge"), ALSO_ON("skylake"),
          STANDS_IN(FOR(lbrs_enabled, begins), FOR(lbr_push, first_from_wrong)));

static void mispredicted(struct model *m, uint64_t from)
{
    unsigned format = m->p.perf_capabilities & PERF_CAP_LBR_FORMAT;
    bool info = format == 5 || format == 7;
    replaced(m, LBR_MISPREDICTED, lbr_push)(m, info ? from : from | BIT(63));
    if (info)
        m->lbr.info[m->lbr.tos] |= LBR_INFO_MISPREDICTED;
}
VARIATION(LBR_MISPREDICTED, "lbr-mispredicted", "branch records say that their branch was mispredicted",
          "the manual: a flag of the record; drivers of Knights Landing, of format 1", ON("haswell"),
          ALSO_ON("skylake", "goldmont-plus", "silvermont"), STANDS_IN(FOR(lbr_push, mispredicted)));

static void sign_lost(struct model *m, uint64_t from)
{
    replaced(m, LBR_FROM_SIGN_CLEAR, lbr_push)(m, from & ~MASK(62, 61));
}
VARIATION(LBR_FROM_SIGN_CLEAR, "lbr-from-sign-clear", "bits 62:61 of a record's origin are 0 without transactions, too",
          "HSD172, HSM182, BDD117, BDM127", ON("haswell"), ALSO_ON("broadwell"), STANDS_IN(FOR(lbr_push, sign_lost)));

static void format_6(struct model *m)
{
    m->p.perf_capabilities = (m->p.perf_capabilities & ~PERF_CAP_LBR_FORMAT) | 6;
}
VARIATION(LBR_CYCLES_IN_TO, "lbr-cycles-in-to", "the upper bits of a record's target are the cycles since the last one",
          "record format 6: Goldmont", ON("goldmont-plus"), DATA(format_6));

static void at_power_up(struct model *m)
{
    m->lbr.tos = 5;
    for (unsigned n = 0; n < LBR_MAX; n++) {
        m->lbr.from[n] = 0x1000 + n;
        m->lbr.to[n] = 0x2000 + n;
    }
}
VARIATION(LBR_NOT_INITIALISED, "lbr-not-initialised", "branch records and their top are not 0 at hand-off",
          "AAJ120, AAT57", ALSO_ON("nehalem"), DATA(at_power_up));

CHANGED(lbr_suppressed_by, indirect_together, LBR_INDIRECT_TOGETHER,
        (good & LBR_SELECT_CALL_INDIRECT) ? good | LBR_SELECT_JUMP_INDIRECT : good);
VARIATION(LBR_INDIRECT_TOGETHER, "lbr-indirect-together",
          "the filter of indirect jumps suppresses the records of indirect calls, too", "drivers of Nehalem",
          ON("nehalem"), STANDS_IN(FOR(lbr_suppressed_by, indirect_together)));

static void saturated(struct model *m, uint64_t from)
{
    replaced(m, LBR_CYCLES_SATURATED, lbr_push)(m, from);
    m->lbr.info[m->lbr.tos] |= LBR_INFO_CYCLES;
}
VARIATION(LBR_CYCLES_SATURATED, "lbr-cycles-saturated", "the cycles of each branch record are the highest value",
          "the manual: the count saturates", STANDS_IN(FOR(lbr_push, saturated)));

VARIATION(LBR_FLAGS_OF_TSX, "lbr-flags-of-tsx", "bits 62:61 of a record's origin are flags of transactions",
          "record format 4 on CPUs with RTM", ON("haswell"), DATA(with_rtm));

/* Another type each time. */
static uint8_t other_type(struct model *m, uint8_t type)
{
    uint64_t *others = memory(m, LBR_OTHER_TYPES, uint64_t);
    type = replaced(m, LBR_OTHER_TYPES, lbr_type)(m, type);
    return type & 8 ? (uint8_t)(8 + (*others)++ % 8) : type;
}
VARIATION(LBR_OTHER_TYPES, "lbr-other-types", "a far branch has any type from 8 to 15 in its architectural record",
          "the manual: 1xxxb is another branch", ON("sapphire-rapids"), ALSO_ON("lunar-lake"),
          STANDS_IN(FOR(lbr_type, other_type)));

INSTEAD(lbr_behind_depth, not_behind, false);
VARIATION(LBR_NONE_BEHIND_DEPTH, "lbr-none-behind-depth",
          "reads and writes of architectural records beyond IA32_LBR_DEPTH fault", "no manual says what they do",
          ON("sapphire-rapids"), ALSO_ON("lunar-lake"), STANDS_IN(FOR(lbr_behind_depth, not_behind)));

static uint64_t with_undefined(struct model *m, enum lbr_part part, uint64_t was, uint64_t value)
{
    value = replaced(m, LBR_INFO_UNDEFINED, lbr_kept)(m, part, was, value);
    uint64_t undefined = MASK(55, 16) | (m->p.leaf7_ebx & BIT(11) ? 0 : LBR_INFO_IN_TX | LBR_INFO_ABORT);
    return part == LBR_PART_INFO ? value ^ undefined : value;
}
VARIATION(LBR_INFO_UNDEFINED, "lbr-info-undefined",
          "undefined bits of an architectural record's flags read another value than was written",
          "the manual: 55:16, and without RTM 62:61", ON("sapphire-rapids"), ALSO_ON("lunar-lake"),
          STANDS_IN(FOR(lbr_kept, with_undefined)));

static uint64_t as_drivers_filter(struct model *m, const struct retired *branch)
{
    uint64_t bits = replaced(m, LBR_CALLS_WITH_JUMPS, lbr_suppressed_by)(m, branch);
    uint64_t jumps = LBR_SELECT_JUMP | LBR_SELECT_JUMP_INDIRECT;
    bits |= bits & LBR_SELECT_CALL ? jumps : 0;
    return bits & LBR_SELECT_RETURN ? bits | jumps | LBR_SELECT_FAR : bits;
}
VARIATION(LBR_CALLS_WITH_JUMPS, "lbr-calls-with-jumps",
          "the filters of jumps also suppress records of relative calls and of returns, and that of far branches those "
          "of returns",
          "drivers of Nehalem and Silvermont", ON("nehalem"), ALSO_ON("silvermont"),
          STANDS_IN(FOR(lbr_suppressed_by, as_drivers_filter)));

static bool any_address(struct model *m, enum lbr_part part, uint64_t value, bool canonical)
{
    (void)replaced(m, LBR_ANY_ADDRESS, lbr_writable)(m, part, value, canonical);
    return true;
}
VARIATION(LBR_ANY_ADDRESS, "lbr-any-address", "architectural branch records take addresses that are not canonical",
          "no source says that they refuse them", ON("sapphire-rapids"), ALSO_ON("goldmont-plus", "lunar-lake"),
          STANDS_IN(FOR(lbr_writable, any_address)));

static void traced(struct model *m)
{
    m->trace.value[TRACE_CTL] = RTIT_CTL_TRACE_EN | RTIT_CTL_TOPA | RTIT_CTL_BRANCH_EN;
}
CHANGED(lbr_writable, taken_while_traced, LBR_CANONICAL_UNTRACED,
        good || (m->trace.value[TRACE_CTL] & RTIT_CTL_TRACE_EN));
static uint64_t dropped_while_traced(struct model *m, enum lbr_part part, uint64_t was, uint64_t value)
{
    bool canonical = !(value & MASK(63, 47)) || (value & MASK(63, 47)) == MASK(63, 47);
    value = replaced(m, LBR_CANONICAL_UNTRACED, lbr_kept)(m, part, was, value);
    return part != LBR_PART_INFO && !canonical ? was : value;
}
INSTEAD(lbrs_enabled, not_while_traced,
        below(LBR_CANONICAL_UNTRACED, lbrs_enabled) && !(m->trace.value[TRACE_CTL] & RTIT_CTL_TRACE_EN));
VARIATION(LBR_CANONICAL_UNTRACED, "lbr-canonical-untraced",
          "firmware's trace is on: no branch is recorded, and records drop an address that is not canonical",
          "SKL47, KBL39, CML39; the manual: trace and records exclude each other", ON("skylake"), DATA(traced),
          STANDS_IN(FOR(lbr_writable, taken_while_traced), FOR(lbr_kept, dropped_while_traced),
                    FOR(lbrs_enabled, not_while_traced)));

/* With this image's own trace, for tests of records; and with a trace that was on before, for tests of both. */
INSTEAD(lbr_answers, not_beside_own_trace,
        below(LBR_FAULTS_TRACED, lbr_answers) && !(m->trace.value[TRACE_CTL] & RTIT_CTL_TRACE_EN));
DEFECT(LBR_FAULTS_TRACED, "lbr-faults-traced", "records and their top fault while a trace is on",
       "BDD96, BDM110; Broadwell", MEANT_FOR("errata.*"),
       MIMICS(ERRATUM_ON("broadwell", "BDM110", 0x306d4, 0x2f, 0, 0)),
       STANDS_IN(FOR(lbr_answers, not_beside_own_trace)));

INSTEAD(lbr_answers, not_beside_trace,
        below(LBR_FAULTS_FOUND_TRACED, lbr_answers) && !(m->trace.value[TRACE_CTL] & RTIT_CTL_TRACE_EN));
VARIATION(LBR_FAULTS_FOUND_TRACED, "lbr-faults-found-traced",
          "firmware's trace is on, and records and their top fault as long as it is", "BDD96, BDM110", ON("broadwell"),
          DATA(traced), STANDS_IN(FOR(lbr_answers, not_beside_trace)));

/* Features of architectural records that leaf 1CH may lack: their bits of IA32_LBR_CTL are then reserved. */
static void lacks_feature(struct model *m, uint32_t feature)
{
    struct profile_leaf *row = leaf_row(&m->p, 0x1c, 0);
    if (row)
        row->value[1] &= ~feature;
}

static void lacks_levels(struct model *m)
{
    lacks_feature(m, (uint32_t)BIT(0));
}
VARIATION(LBR_WITHOUT_LEVELS, "lbr-without-levels",
          "CPUID.1CH:EBX[0] is 0: architectural branch records are not filtered by privilege level",
          "the manual: a feature of its own", ON("sapphire-rapids"), ALSO_ON("clearwater-forest"), DATA(lacks_levels));

static void lacks_kinds(struct model *m)
{
    lacks_feature(m, (uint32_t)BIT(1));
}
VARIATION(LBR_WITHOUT_KINDS, "lbr-without-kinds",
          "CPUID.1CH:EBX[1] is 0: architectural branch records are not filtered by kind of branch",
          "the manual: a feature of its own", ON("sapphire-rapids"), DATA(lacks_kinds));

static void lacks_call_stack(struct model *m)
{
    lacks_feature(m, (uint32_t)BIT(2));
}
VARIATION(LBR_WITHOUT_CALL_STACK, "lbr-without-call-stack",
          "CPUID.1CH:EBX[2] is 0: architectural branch records have no call-stack mode",
          "the manual: a feature of its own", ON("sapphire-rapids"), DATA(lacks_call_stack));
