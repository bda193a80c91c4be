/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of the contents of an architectural PEBS record: its headers and its groups. */
#define CHAPTERS "apebs.*,pebs.*,enum.*"
#include "reference/deviations/stand_in.h"

#define HERE ON("panther-lake")
#define UNIT 16 /* in bytes, the unit of the buffer */
#define FAR_AWAY 0x10000

/* ---- Headers */

DEFECT(apebs_size_wrong, BEFORE(apebs_header, true, size -= UNIT), "the header says 16 bytes too few",
       "class: header not counted", HERE);
DEFECT(apebs_size_larger,
       ALL(NOTES(apebs_header, true, size += !continued && strikes() ? UNIT : 0),
           IS(apebs_advanced, replaced(apebs_advanced)(m, offset, strikes() ? size + UNIT : size))),
       "a record says and takes 16 bytes more than its groups have", "class: a header counted twice", HERE);
DEFECT(apebs_continued_missing, BEFORE(apebs_header, continued, continued = false), "no fragment has CONTINUED set",
       "class: a flag left out", HERE);
DEFECT(apebs_continued_on_last, BEFORE(apebs_header, !continued, continued = true),
       "the last fragment has CONTINUED set, too", "class: a flag that stays", HERE);
DEFECT(apebs_basic_untold, CHANGED(apebs_header, true, good & ~APEBS_BASIC), "no header has BASIC set",
       "class: a flag left out", HERE);
DEFECT(apebs_gpr_untold, CHANGED(apebs_header, true, good & ~APEBS_GPR),
       "the header does not name the general registers that follow", "class: a flag left out", HERE);
DEFECT(apebs_mode_32, CHANGED(apebs_header, true, good & ~APEBS_64_BIT),
       "the header says that 64-bit code was not in 64-bit mode", "class: a flag left out", HERE);

/* ---- Groups */

DEFECT(apebs_gpr_missing, CHANGED(apebs_present, true, good & ~APEBS_GPR), "records have no general registers",
       "class: a group forgotten", HERE);
DEFECT(apebs_xmm_missing, CHANGED(apebs_present, true, good & ~APEBS_XMM), "records have no XMM registers",
       "class: a group forgotten", HERE);
DEFECT(apebs_counters_missing, CHANGED(apebs_present, true, good & ~APEBS_COUNTERS),
       "records have no values of counters", "class: a group forgotten", HERE);
DEFECT(apebs_aux_unasked, CHANGED(apebs_present, true, good | APEBS_AUX), "each record has the auxiliary group",
       "class: a group too many", HERE);

STAND_IN(apebs_config_stale, apebs_present)
{
    uint64_t now = below(apebs_present), last = noted;
    noted = now;
    return last && strikes() ? last : now;
}
DEFECT(apebs_config_stale, FUNCTIONS, "after a write of CFG_C the next record has the groups of the last record",
       "class of record-old-size", HERE);

STAND_IN(apebs_config_of_another, apebs_groups)
{
    uint64_t all = model_apebs_counters(m);
    for (; all && strikes(); all &= all - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(all);
        if (model_apebs_config(m, bit) & (APEBS_GROUPS | APEBS_EN))
            return replaced(apebs_groups)(m, BIT(bit));
    }
    return below(apebs_groups);
}
DEFECT(apebs_config_of_another, FUNCTIONS,
       "records of all counters have the groups of the first counter that requests any", "class: one register for all",
       HERE);
DEFECT(apebs_lbr_half, CHANGED(apebs_branches, true, good / 2), "half as many branch records follow as the header says",
       "class: a count halved", HERE, MEANT_FOR("apebs.*,lbr.sampled"));
DEFECT(apebs_allow_ignored,
       INSTEAD(apebs_included, true,
               ((groups & APEBS_GP ? width_mask(m->p.gp_count) : 0) |
                (groups & APEBS_FIXED ? (uint64_t)m->p.fixed_bitmap << 32 : 0))),
       "counters are in records though CNTR_ALLOW is clear", "class: a permission left out", HERE);
DEFECT(apebs_allow_needs_counting, CHANGED(apebs_included, true, good & m->active.mask),
       "a counter that does not count is in no record though CNTR_ALLOW is set", "class: a permission taken for more",
       HERE);
DEFECT(apebs_counter_left_out, CHANGED(apebs_included, true, (good - 1) & good),
       "the first counter of the counters group is left out", "class: off by one", HERE);
DEFECT(apebs_value_zero, INSTEAD(apebs_value, true, 0), "the values in the counters group are zeros",
       "class: a field left out", HERE);
DEFECT(apebs_fixed_value_cut, CHANGED(apebs_value, bit >= 32 && good >> 32, MASK(31, 0) & good),
       "the value of a fixed counter has 32 bits in a record", "class: the legacy width", HERE,
       MEANT_FOR("apebs.counters"));
DEFECT(apebs_slots_zero, CHANGED(apebs_slots, true, 0), "the slots in the metrics group are 0",
       "class: a field left out", HERE, MEANT_FOR("apebs.counters"));

/* ---- The contents of a record */

DEFECT(apebs_names_neighbour, CHANGED(apebs_named, true, good << 1), "a record names the counter above its own",
       "class: off by one", HERE);
DEFECT(apebs_names_nobody, CHANGED(apebs_named, true, 0), "a record names no counter", "class: a field left out", HERE);
DEFECT(apebs_ip_wrong, AFTER(pebs_capture, true, sample->eventing_ip += FAR_AWAY),
       "the instruction in a record lies 64 KB above where it should", "class of SKL120", HERE);
DEFECT(apebs_tsc_zero, AFTER(pebs_capture, true, sample->tsc = 0), "the TSC in a record is 0",
       "class: a field left out", HERE);

struct remembered {
    struct model_registers registers;
};

STAND_IN(apebs_registers_stale, pebs_capture)
{
    below(pebs_capture);
    struct remembered *last = memory(struct remembered);
    struct model_registers now = sample->registers;
    if (strikes())
        sample->registers = last->registers;
    last->registers = now;
}
DEFECT(apebs_registers_stale, FUNCTIONS, "a record shows the registers of the record before it",
       "class of pebs-registers-stale", HERE);
DEFECT(apebs_address_wrong, AFTER(pebs_capture, sample->address, sample->address += 8),
       "the data address in a record is 8 too high", "class", HERE);
DEFECT(apebs_xmm_zero,
       NOTED(pebs_capture, true,
             for (unsigned i = 0; i < ARRAY_SIZE(sample->registers.xmm) && strikes(); i++)
                 sample->registers.xmm[i][0] = sample->registers.xmm[i][1] = 0),
       "the XMM registers in a record are zeros", "class of pebs-xmm-zero", HERE);
