/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of the contents of an architectural PEBS record: its headers and its groups. */
#define CHAPTERS "apebs.*,pebs.*,enum.*"
#include "reference/deviations/stand_in.h"

#define HERE ON("panther-lake")
#define UNIT 16 /* in bytes, the unit of the buffer */
#define FAR_AWAY 0x10000

/* ---- Headers */

static uint64_t smaller(struct model *m, uint64_t groups, uint32_t size, bool continued)
{
    size -= strikes(m, APEBS_SIZE_WRONG) ? UNIT : 0;
    return replaced(m, APEBS_SIZE_WRONG, apebs_header)(m, groups, size, continued);
}
DEFECT(APEBS_SIZE_WRONG, "apebs-size-wrong", "the header says 16 bytes too few", "class: header not counted", HERE,
       STANDS_IN(FOR(apebs_header, smaller)));

static uint64_t larger(struct model *m, uint64_t groups, uint32_t size, bool continued)
{
    size += !continued && strikes(m, APEBS_SIZE_LARGER) ? UNIT : 0;
    return replaced(m, APEBS_SIZE_LARGER, apebs_header)(m, groups, size, continued);
}

INSTEAD(apebs_advanced, advanced_as_told,
        replaced(m, APEBS_SIZE_LARGER, apebs_advanced)(m, offset, strikes(m, APEBS_SIZE_LARGER) ? size + UNIT : size));
DEFECT(APEBS_SIZE_LARGER, "apebs-size-larger", "a record says and takes 16 bytes more than its groups have",
       "class: a header counted twice", HERE,
       STANDS_IN(FOR(apebs_header, larger), FOR(apebs_advanced, advanced_as_told)));

static uint64_t never_continued(struct model *m, uint64_t groups, uint32_t size, bool continued)
{
    continued = continued && !strikes(m, APEBS_CONTINUED_MISSING);
    return replaced(m, APEBS_CONTINUED_MISSING, apebs_header)(m, groups, size, continued);
}
DEFECT(APEBS_CONTINUED_MISSING, "apebs-continued-missing", "no fragment has CONTINUED set", "class: a flag left out",
       HERE, STANDS_IN(FOR(apebs_header, never_continued)));

static uint64_t always_continued(struct model *m, uint64_t groups, uint32_t size, bool continued)
{
    continued = continued || strikes(m, APEBS_CONTINUED_ON_LAST);
    return replaced(m, APEBS_CONTINUED_ON_LAST, apebs_header)(m, groups, size, continued);
}
DEFECT(APEBS_CONTINUED_ON_LAST, "apebs-continued-on-last", "the last fragment has CONTINUED set, too",
       "class: a flag that stays", HERE, STANDS_IN(FOR(apebs_header, always_continued)));

CHANGED(apebs_header, without_basic, APEBS_BASIC_UNTOLD, strikes(m, APEBS_BASIC_UNTOLD) ? good & ~APEBS_BASIC : good);
DEFECT(APEBS_BASIC_UNTOLD, "apebs-basic-untold", "no header has BASIC set", "class: a flag left out", HERE,
       STANDS_IN(FOR(apebs_header, without_basic)));

CHANGED(apebs_header, gpr_untold, APEBS_GPR_UNTOLD, strikes(m, APEBS_GPR_UNTOLD) ? good & ~APEBS_GPR : good);
DEFECT(APEBS_GPR_UNTOLD, "apebs-gpr-untold", "the header does not name the general registers that follow",
       "class: a flag left out", HERE, STANDS_IN(FOR(apebs_header, gpr_untold)));

CHANGED(apebs_header, narrow_mode, APEBS_MODE_32, strikes(m, APEBS_MODE_32) ? good & ~APEBS_64_BIT : good);
DEFECT(APEBS_MODE_32, "apebs-mode-32", "the header says that 64-bit code was not in 64-bit mode",
       "class: a flag left out", HERE, STANDS_IN(FOR(apebs_header, narrow_mode)));

/* ---- Groups */

CHANGED(apebs_present, gpr_missing, APEBS_GPR_MISSING, strikes(m, APEBS_GPR_MISSING) ? good & ~APEBS_GPR : good);
DEFECT(APEBS_GPR_MISSING, "apebs-gpr-missing", "records have no general registers", "class: a group forgotten", HERE,
       STANDS_IN(FOR(apebs_present, gpr_missing)));

CHANGED(apebs_present, vectors_missing, APEBS_XMM_MISSING, strikes(m, APEBS_XMM_MISSING) ? good & ~APEBS_XMM : good);
DEFECT(APEBS_XMM_MISSING, "apebs-xmm-missing", "records have no XMM registers", "class: a group forgotten", HERE,
       STANDS_IN(FOR(apebs_present, vectors_missing)));

CHANGED(apebs_present, values_missing, APEBS_COUNTERS_MISSING,
        strikes(m, APEBS_COUNTERS_MISSING) ? good & ~APEBS_COUNTERS : good);
DEFECT(APEBS_COUNTERS_MISSING, "apebs-counters-missing", "records have no values of counters",
       "class: a group forgotten", HERE, STANDS_IN(FOR(apebs_present, values_missing)));

CHANGED(apebs_present, aux_besides, APEBS_AUX_UNASKED, strikes(m, APEBS_AUX_UNASKED) ? good | APEBS_AUX : good);
DEFECT(APEBS_AUX_UNASKED, "apebs-aux-unasked", "each record has the auxiliary group", "class: a group too many", HERE,
       STANDS_IN(FOR(apebs_present, aux_besides)));

struct asked {
    uint64_t groups;
};

static uint64_t of_last_record(struct model *m, uint64_t groups)
{
    struct asked *asked = memory(m, APEBS_CONFIG_STALE, struct asked);
    uint64_t now = replaced(m, APEBS_CONFIG_STALE, apebs_present)(m, groups), last = asked->groups;
    asked->groups = now;
    return last && strikes(m, APEBS_CONFIG_STALE) ? last : now;
}
DEFECT(APEBS_CONFIG_STALE, "apebs-config-stale",
       "after a write of CFG_C the next record has the groups of the last record", "class of record-old-size", HERE,
       STANDS_IN(FOR(apebs_present, of_last_record)));

static uint64_t of_first_counter(struct model *m, uint64_t counters)
{
    uint64_t all = model_apebs_counters(m);
    for (; all && strikes(m, APEBS_CONFIG_OF_ANOTHER); all &= all - 1) {
        unsigned bit = (unsigned)__builtin_ctzll(all);
        if (model_apebs_config(m, bit) & (APEBS_GROUPS | APEBS_EN))
            return replaced(m, APEBS_CONFIG_OF_ANOTHER, apebs_groups)(m, BIT(bit));
    }
    return replaced(m, APEBS_CONFIG_OF_ANOTHER, apebs_groups)(m, counters);
}
DEFECT(APEBS_CONFIG_OF_ANOTHER, "apebs-config-of-another",
       "records of all counters have the groups of the first counter that requests any", "class: one register for all",
       HERE, STANDS_IN(FOR(apebs_groups, of_first_counter)));

CHANGED(apebs_branches, half_of_them, APEBS_LBR_HALF, strikes(m, APEBS_LBR_HALF) ? good / 2 : good);
DEFECT(APEBS_LBR_HALF, "apebs-lbr-half", "half as many branch records follow as the header says",
       "class: a count halved", HERE, MEANT_FOR("apebs.*,lbr.sampled"), STANDS_IN(FOR(apebs_branches, half_of_them)));

static uint64_t all_counters(struct model *m, uint64_t groups)
{
    uint64_t all = (groups & APEBS_GP ? width_mask(m->p.gp_count) : 0) |
                   (groups & APEBS_FIXED ? (uint64_t)m->p.fixed_bitmap << 32 : 0);
    return strikes(m, APEBS_ALLOW_IGNORED) ? all : replaced(m, APEBS_ALLOW_IGNORED, apebs_included)(m, groups);
}
DEFECT(APEBS_ALLOW_IGNORED, "apebs-allow-ignored", "counters are in records though CNTR_ALLOW is clear",
       "class: a permission left out", HERE, STANDS_IN(FOR(apebs_included, all_counters)));

CHANGED(apebs_included, only_running, APEBS_ALLOW_NEEDS_COUNTING,
        strikes(m, APEBS_ALLOW_NEEDS_COUNTING) ? good & m->active.mask : good);
DEFECT(APEBS_ALLOW_NEEDS_COUNTING, "apebs-allow-needs-counting",
       "a counter that does not count is in no record though CNTR_ALLOW is set", "class: a permission taken for more",
       HERE, STANDS_IN(FOR(apebs_included, only_running)));

CHANGED(apebs_included, one_less, APEBS_COUNTER_LEFT_OUT,
        strikes(m, APEBS_COUNTER_LEFT_OUT) ? (good - 1) & good : good);
DEFECT(APEBS_COUNTER_LEFT_OUT, "apebs-counter-left-out", "the first counter of the counters group is left out",
       "class: off by one", HERE, STANDS_IN(FOR(apebs_included, one_less)));

INSTEAD(apebs_value, no_value, strikes(m, APEBS_VALUE_ZERO) ? 0 : below(APEBS_VALUE_ZERO, apebs_value));
DEFECT(APEBS_VALUE_ZERO, "apebs-value-zero", "the values in the counters group are zeros", "class: a field left out",
       HERE, STANDS_IN(FOR(apebs_value, no_value)));

CHANGED(apebs_value, fixed_cut, APEBS_FIXED_VALUE_CUT,
        bit >= 32 && good >> 32 && strikes(m, APEBS_FIXED_VALUE_CUT) ? good & MASK(31, 0) : good);
DEFECT(APEBS_FIXED_VALUE_CUT, "apebs-fixed-value-cut", "the value of a fixed counter has 32 bits in a record",
       "class: the legacy width", HERE, MEANT_FOR("apebs.counters"), STANDS_IN(FOR(apebs_value, fixed_cut)));

CHANGED(apebs_slots, no_slots, APEBS_SLOTS_ZERO, strikes(m, APEBS_SLOTS_ZERO) ? 0 : good);
DEFECT(APEBS_SLOTS_ZERO, "apebs-slots-zero", "the slots in the metrics group are 0", "class: a field left out", HERE,
       MEANT_FOR("apebs.counters"), STANDS_IN(FOR(apebs_slots, no_slots)));

/* ---- The contents of a record */

static uint64_t neighbour(struct model *m, uint64_t counters)
{
    counters = replaced(m, APEBS_NAMES_NEIGHBOUR, apebs_named)(m, counters);
    return strikes(m, APEBS_NAMES_NEIGHBOUR) ? counters << 1 : counters;
}
DEFECT(APEBS_NAMES_NEIGHBOUR, "apebs-names-neighbour", "a record names the counter above its own", "class: off by one",
       HERE, STANDS_IN(FOR(apebs_named, neighbour)));

static uint64_t nobody(struct model *m, uint64_t counters)
{
    counters = replaced(m, APEBS_NAMES_NOBODY, apebs_named)(m, counters);
    return strikes(m, APEBS_NAMES_NOBODY) ? 0 : counters;
}
DEFECT(APEBS_NAMES_NOBODY, "apebs-names-nobody", "a record names no counter", "class: a field left out", HERE,
       STANDS_IN(FOR(apebs_named, nobody)));

static void ip_elsewhere(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, APEBS_IP_WRONG, pebs_capture)(m, in, s);
    s->eventing_ip += strikes(m, APEBS_IP_WRONG) ? FAR_AWAY : 0;
}
DEFECT(APEBS_IP_WRONG, "apebs-ip-wrong", "the instruction in a record lies 64 KB above where it should",
       "class of SKL120", HERE, STANDS_IN(FOR(pebs_capture, ip_elsewhere)));

static void timeless(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, APEBS_TSC_ZERO, pebs_capture)(m, in, s);
    s->tsc = strikes(m, APEBS_TSC_ZERO) ? 0 : s->tsc;
}
DEFECT(APEBS_TSC_ZERO, "apebs-tsc-zero", "the TSC in a record is 0", "class: a field left out", HERE,
       STANDS_IN(FOR(pebs_capture, timeless)));

struct remembered {
    struct model_registers registers;
};

static void of_the_last(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, APEBS_REGISTERS_STALE, pebs_capture)(m, in, s);
    struct remembered *last = memory(m, APEBS_REGISTERS_STALE, struct remembered);
    struct model_registers now = s->registers;
    if (strikes(m, APEBS_REGISTERS_STALE))
        s->registers = last->registers;
    last->registers = now;
}
DEFECT(APEBS_REGISTERS_STALE, "apebs-registers-stale", "a record shows the registers of the record before it",
       "class of pebs-registers-stale", HERE, STANDS_IN(FOR(pebs_capture, of_the_last)));

static void address_off(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, APEBS_ADDRESS_WRONG, pebs_capture)(m, in, s);
    if (s->address && strikes(m, APEBS_ADDRESS_WRONG))
        s->address += 8;
}
DEFECT(APEBS_ADDRESS_WRONG, "apebs-address-wrong", "the data address in a record is 8 too high", "class", HERE,
       STANDS_IN(FOR(pebs_capture, address_off)));

static void xmm_empty(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, APEBS_XMM_ZERO, pebs_capture)(m, in, s);
    for (unsigned i = 0; i < ARRAY_SIZE(s->registers.xmm) && strikes(m, APEBS_XMM_ZERO); i++)
        s->registers.xmm[i][0] = s->registers.xmm[i][1] = 0;
}
DEFECT(APEBS_XMM_ZERO, "apebs-xmm-zero", "the XMM registers in a record are zeros", "class of pebs-xmm-zero", HERE,
       STANDS_IN(FOR(pebs_capture, xmm_empty)));
