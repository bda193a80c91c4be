/* Deviations of architectural PEBS: its registers, its records, its buffer. */
#define CHAPTERS "apebs.*,pebs.*,enum.*"
#include "pmu/reference/deviations/stand_in.h"

#define HERE ON("panther-lake")
#define UNIT 16 /* bytes, in which the buffer is counted */
#define FAR_AWAY 0x10000

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
    for (struct profile_leaf *row = m->p.leaves; row < m->p.leaves + LEAVES_MAX && row->leaf; row++)
        if (row->leaf == 0x23 && row->subleaf == subleaf)
            return row->value;
    return m->p.leaves[0].value;
}

static void format_of_before(struct model *m)
{
    m->p.perf_capabilities = (m->p.perf_capabilities & ~PERF_CAP_PEBS_FORMAT) | FIELD(11, 8, 6);
}
DEFECT(APEBS_FORMAT_OF_BEFORE, "apebs-format-of-before", "IA32_PERF_CAPABILITIES tells format 6, leaf 23H tells more",
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
       "leaf 23H tells of the precise distribution of a counter that does not sample", "class: off by one", HERE,
       DATA(precise_beyond));

static uint64_t base_lost(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    value = replaced(m, APEBS_BASE_LOST, stored_kept)(m, which, was, value);
    return which == STORED_PEBS_BASE && strikes(m, APEBS_BASE_LOST) ? was : value;
}
DEFECT(APEBS_BASE_LOST, "apebs-base-lost", "IA32_PEBS_BASE drops what is written", "class: write path left out", HERE,
       STANDS_IN(FOR(stored_kept, base_lost)));

static uint64_t size_dropped(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    value = replaced(m, APEBS_BASE_DROPS_SIZE, stored_kept)(m, which, was, value);
    return which == STORED_PEBS_BASE && strikes(m, APEBS_BASE_DROPS_SIZE) ? value & ~APEBS_BASE_SIZE : value;
}
DEFECT(APEBS_BASE_DROPS_SIZE, "apebs-base-drops-size", "IA32_PEBS_BASE does not keep SIZE", "class: a field left out",
       HERE, STANDS_IN(FOR(stored_kept, size_dropped)));

static uint64_t threshold_cut(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    value = replaced(m, APEBS_INDEX_CUTS_THRESHOLD, stored_kept)(m, which, was, value);
    return which == STORED_PEBS_INDEX && strikes(m, APEBS_INDEX_CUTS_THRESHOLD) ? value & ~MASK(58, 44) : value;
}
DEFECT(APEBS_INDEX_CUTS_THRESHOLD, "apebs-index-cuts-threshold", "IA32_PEBS_INDEX keeps 8 bits of THRESH",
       "class: a field that is too narrow", HERE, STANDS_IN(FOR(stored_kept, threshold_cut)));

static uint64_t written_cut(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    value = replaced(m, APEBS_INDEX_CUTS_WRITTEN, stored_kept)(m, which, was, value);
    return which == STORED_PEBS_INDEX && strikes(m, APEBS_INDEX_CUTS_WRITTEN) ? value & ~MASK(26, 12) : value;
}
DEFECT(APEBS_INDEX_CUTS_WRITTEN, "apebs-index-cuts-written", "IA32_PEBS_INDEX keeps 8 bits of WR",
       "class: a field that is too narrow", HERE, STANDS_IN(FOR(stored_kept, written_cut)));

static uint64_t en_dropped(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    value = replaced(m, APEBS_INDEX_DROPS_EN, stored_kept)(m, which, was, value);
    return which == STORED_PEBS_INDEX && strikes(m, APEBS_INDEX_DROPS_EN) ? value & ~APEBS_INDEX_EN : value;
}
DEFECT(APEBS_INDEX_DROPS_EN, "apebs-index-drops-en", "IA32_PEBS_INDEX does not keep EN", "class: a field left out",
       HERE, STANDS_IN(FOR(stored_kept, en_dropped)));

static uint64_t full_stays(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    value = replaced(m, APEBS_FULL_STAYS, stored_kept)(m, which, was, value);
    return which == STORED_PEBS_INDEX && value && strikes(m, APEBS_FULL_STAYS) ? value | (was & APEBS_INDEX_FULL)
                                                                               : value;
}
DEFECT(APEBS_FULL_STAYS, "apebs-full-stays", "FULL is cleared with the whole of IA32_PEBS_INDEX alone",
       "class of BJ58: a bit stays", HERE, STANDS_IN(FOR(stored_kept, full_stays)));

static uint64_t gpr_dropped(struct model *m, unsigned bit, uint64_t value)
{
    value = replaced(m, APEBS_CONFIG_DROPS_GPR, cfg_c_kept)(m, bit, value);
    return strikes(m, APEBS_CONFIG_DROPS_GPR) ? value & ~APEBS_GPR : value;
}
DEFECT(APEBS_CONFIG_DROPS_GPR, "apebs-config-drops-gpr", "CFG_C does not keep GPR", "class: a field left out", HERE,
       STANDS_IN(FOR(cfg_c_kept, gpr_dropped)));

static uint64_t allow_dropped(struct model *m, unsigned bit, uint64_t value)
{
    value = replaced(m, APEBS_CONFIG_DROPS_ALLOW, cfg_c_kept)(m, bit, value);
    return bit >= 32 && strikes(m, APEBS_CONFIG_DROPS_ALLOW) ? value & ~APEBS_ALLOW : value;
}
DEFECT(APEBS_CONFIG_DROPS_ALLOW, "apebs-config-drops-allow", "CFG_C of fixed counters does not keep CNTR_ALLOW",
       "class: a field left out", HERE, STANDS_IN(FOR(cfg_c_kept, allow_dropped)));

static uint64_t reload_cut(struct model *m, unsigned bit, uint64_t value)
{
    value = replaced(m, APEBS_CONFIG_CUTS_RELOAD, cfg_c_kept)(m, bit, value);
    return strikes(m, APEBS_CONFIG_CUTS_RELOAD) ? value & ~MASK(31, 16) : value;
}
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
DEFECT(APEBS_CONFIG_CLEARS_LATE, "apebs-config-clears-late", "CFG_C takes a 0 only when it is written once more",
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

static bool never_the_last(struct model *m, unsigned bit)
{
    bool dead = last_gp(m, bit) && strikes(m, APEBS_LAST_COUNTER_SILENT);
    return replaced(m, APEBS_LAST_COUNTER_SILENT, apebs_enabled)(m, bit) && !dead;
}
DEFECT(APEBS_LAST_COUNTER_SILENT, "apebs-last-counter-silent", "the last GP counter writes no records",
       "class: a counter forgotten", HERE, STANDS_IN(FOR(apebs_enabled, never_the_last)));

static bool never_fixed(struct model *m, unsigned bit)
{
    bool dead = bit >= 32 && strikes(m, APEBS_FIXED_SILENT);
    return replaced(m, APEBS_FIXED_SILENT, apebs_enabled)(m, bit) && !dead;
}
DEFECT(APEBS_FIXED_SILENT, "apebs-fixed-silent", "fixed counters write no records", "class: a counter forgotten", HERE,
       STANDS_IN(FOR(apebs_enabled, never_fixed)));

static bool silent_on_last(struct model *m)
{
    return replaced(m, APEBS_LAST_CPU_SILENT, apebs_on)(m) && !(last_cpu(m) && strikes(m, APEBS_LAST_CPU_SILENT));
}
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

static uint8_t shadowed(struct model *m, unsigned bit, bool precise)
{
    uint8_t wait = replaced(m, APEBS_PDIST_JITTERS, pebs_shadow)(m, bit, precise);
    return precise && strikes(m, APEBS_PDIST_JITTERS) ? (uint8_t)(1 + m->pebs.arms % 7) : wait;
}
DEFECT(APEBS_PDIST_JITTERS, "apebs-pdist-jitters",
       "counters with the precise distribution are late by 1 to 7 instructions", "class of pdist-jitters", HERE,
       STANDS_IN(FOR(pebs_shadow, shadowed)));

/* ---- Headers */

static uint64_t smaller(struct model *m, uint64_t groups, uint32_t size, bool continued)
{
    size -= strikes(m, APEBS_SIZE_WRONG) ? UNIT : 0;
    return replaced(m, APEBS_SIZE_WRONG, apebs_header)(m, groups, size, continued);
}
DEFECT(APEBS_SIZE_WRONG, "apebs-size-wrong", "the header tells 16 bytes too few", "class: header not counted", HERE,
       STANDS_IN(FOR(apebs_header, smaller)));

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

static uint64_t without_basic(struct model *m, uint64_t groups, uint32_t size, bool continued)
{
    uint64_t header = replaced(m, APEBS_BASIC_UNTOLD, apebs_header)(m, groups, size, continued);
    return strikes(m, APEBS_BASIC_UNTOLD) ? header & ~APEBS_BASIC : header;
}
DEFECT(APEBS_BASIC_UNTOLD, "apebs-basic-untold", "no header has BASIC set", "class: a flag left out", HERE,
       STANDS_IN(FOR(apebs_header, without_basic)));

static uint64_t gpr_untold(struct model *m, uint64_t groups, uint32_t size, bool continued)
{
    uint64_t header = replaced(m, APEBS_GPR_UNTOLD, apebs_header)(m, groups, size, continued);
    return strikes(m, APEBS_GPR_UNTOLD) ? header & ~APEBS_GPR : header;
}
DEFECT(APEBS_GPR_UNTOLD, "apebs-gpr-untold", "the header does not tell of the general registers that follow",
       "class: a flag left out", HERE, STANDS_IN(FOR(apebs_header, gpr_untold)));

static uint64_t narrow_mode(struct model *m, uint64_t groups, uint32_t size, bool continued)
{
    uint64_t header = replaced(m, APEBS_MODE_32, apebs_header)(m, groups, size, continued);
    return strikes(m, APEBS_MODE_32) ? header & ~APEBS_64_BIT : header;
}
DEFECT(APEBS_MODE_32, "apebs-mode-32", "the header says that 64-bit code was not in 64-bit mode",
       "class: a flag left out", HERE, STANDS_IN(FOR(apebs_header, narrow_mode)));

/* ---- Groups */

static uint64_t gpr_missing(struct model *m, uint64_t groups)
{
    groups = replaced(m, APEBS_GPR_MISSING, apebs_present)(m, groups);
    return strikes(m, APEBS_GPR_MISSING) ? groups & ~APEBS_GPR : groups;
}
DEFECT(APEBS_GPR_MISSING, "apebs-gpr-missing", "records have no general registers", "class: a group forgotten", HERE,
       STANDS_IN(FOR(apebs_present, gpr_missing)));

static uint64_t vectors_missing(struct model *m, uint64_t groups)
{
    groups = replaced(m, APEBS_XMM_MISSING, apebs_present)(m, groups);
    return strikes(m, APEBS_XMM_MISSING) ? groups & ~APEBS_XMM : groups;
}
DEFECT(APEBS_XMM_MISSING, "apebs-xmm-missing", "records have no XMM registers", "class: a group forgotten", HERE,
       STANDS_IN(FOR(apebs_present, vectors_missing)));

static uint64_t values_missing(struct model *m, uint64_t groups)
{
    groups = replaced(m, APEBS_COUNTERS_MISSING, apebs_present)(m, groups);
    return strikes(m, APEBS_COUNTERS_MISSING) ? groups & ~APEBS_COUNTERS : groups;
}
DEFECT(APEBS_COUNTERS_MISSING, "apebs-counters-missing", "records have no values of counters",
       "class: a group forgotten", HERE, STANDS_IN(FOR(apebs_present, values_missing)));

static uint64_t aux_besides(struct model *m, uint64_t groups)
{
    groups = replaced(m, APEBS_AUX_UNASKED, apebs_present)(m, groups);
    return strikes(m, APEBS_AUX_UNASKED) ? groups | APEBS_AUX : groups;
}
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
       "records of all counters have the groups of the first that asks for any", "class: one register for all", HERE,
       STANDS_IN(FOR(apebs_groups, of_first_counter)));

static unsigned half_of_them(struct model *m, uint64_t groups)
{
    unsigned entries = replaced(m, APEBS_LBR_HALF, apebs_branches)(m, groups);
    return strikes(m, APEBS_LBR_HALF) ? entries / 2 : entries;
}
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

static uint64_t only_running(struct model *m, uint64_t groups)
{
    uint64_t included = replaced(m, APEBS_ALLOW_NEEDS_COUNTING, apebs_included)(m, groups);
    return strikes(m, APEBS_ALLOW_NEEDS_COUNTING) ? included & m->active.mask : included;
}
DEFECT(APEBS_ALLOW_NEEDS_COUNTING, "apebs-allow-needs-counting",
       "a counter that does not count is in no record though CNTR_ALLOW is set", "class: a permission taken for more",
       HERE, STANDS_IN(FOR(apebs_included, only_running)));

static uint64_t one_less(struct model *m, uint64_t groups)
{
    uint64_t included = replaced(m, APEBS_COUNTER_LEFT_OUT, apebs_included)(m, groups);
    return strikes(m, APEBS_COUNTER_LEFT_OUT) ? included & (included - 1) : included;
}
DEFECT(APEBS_COUNTER_LEFT_OUT, "apebs-counter-left-out", "the first counter of the counters group is left out",
       "class: off by one", HERE, STANDS_IN(FOR(apebs_included, one_less)));

static uint64_t no_value(struct model *m, unsigned bit)
{
    return strikes(m, APEBS_VALUE_ZERO) ? 0 : replaced(m, APEBS_VALUE_ZERO, apebs_value)(m, bit);
}
DEFECT(APEBS_VALUE_ZERO, "apebs-value-zero", "the values in the counters group are zeros", "class: a field left out",
       HERE, STANDS_IN(FOR(apebs_value, no_value)));

/* ---- What a record says */

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

/* ---- The buffer */

static uint64_t not_advanced(struct model *m, uint64_t offset, uint32_t size)
{
    return replaced(m, APEBS_INDEX_STAYS, apebs_advanced)(m, offset, strikes(m, APEBS_INDEX_STAYS) ? 0 : size);
}
DEFECT(APEBS_INDEX_STAYS, "apebs-index-stays", "a record does not advance WR", "class of pebs-index-stays", HERE,
       STANDS_IN(FOR(apebs_advanced, not_advanced)));

static uint64_t one_unit_more(struct model *m, uint64_t offset, uint32_t size)
{
    size += strikes(m, APEBS_INDEX_ONE_MORE) ? UNIT : 0;
    return replaced(m, APEBS_INDEX_ONE_MORE, apebs_advanced)(m, offset, size);
}
DEFECT(APEBS_INDEX_ONE_MORE, "apebs-index-one-more", "a record advances WR by 16 bytes too many",
       "class of pebs-index-one-more", HERE, STANDS_IN(FOR(apebs_advanced, one_unit_more)));

static uint64_t one_unit_on(struct model *m)
{
    return replaced(m, APEBS_WRITES_FURTHER_ON, apebs_address)(m) + (strikes(m, APEBS_WRITES_FURTHER_ON) ? UNIT : 0);
}
DEFECT(APEBS_WRITES_FURTHER_ON, "apebs-writes-further-on", "records lie 16 bytes above where WR says",
       "class: off by one", HERE, STANDS_IN(FOR(apebs_address, one_unit_on)));

struct buffer_before {
    uint64_t address;
};

static uint64_t buffer_before(struct model *m)
{
    struct buffer_before *last = memory(m, APEBS_BASE_STALE, struct buffer_before);
    uint64_t now = replaced(m, APEBS_BASE_STALE, apebs_address)(m), before = last->address;
    last->address = now;
    return before && strikes(m, APEBS_BASE_STALE) ? before : now;
}
DEFECT(APEBS_BASE_STALE, "apebs-base-stale",
       "the first record after a write of IA32_PEBS_BASE goes to the buffer before", "class of record-old-size", HERE,
       STANDS_IN(FOR(apebs_address, buffer_before)));

/* Once, and by less than a record: what lies behind the buffer is somebody else's. */
static bool fits_in_part(struct model *m, uint64_t offset, uint32_t size)
{
    bool begins = offset < rule(m, apebs_room)(m);
    return replaced(m, APEBS_PAST_END, apebs_fits)(m, offset, size) || (begins && strikes(m, APEBS_PAST_END));
}
DEFECT(APEBS_PAST_END, "apebs-past-end", "a record that fits in part is written past the end of the buffer",
       "class of pebs-maximum-ignored", HERE, STANDS_IN(FOR(apebs_fits, fits_in_part)));

static uint64_t one_page(struct model *m)
{
    uint64_t room = replaced(m, APEBS_ONE_PAGE, apebs_room)(m);
    return strikes(m, APEBS_ONE_PAGE) ? 4096 : room;
}
DEFECT(APEBS_ONE_PAGE, "apebs-one-page", "whatever SIZE says the buffer has one page", "class: a field left out", HERE,
       STANDS_IN(FOR(apebs_room, one_page)));

static void full_untold(struct model *m)
{
    if (!strikes(m, APEBS_FULL_UNTOLD))
        replaced(m, APEBS_FULL_UNTOLD, apebs_overruns)(m);
}
DEFECT(APEBS_FULL_UNTOLD, "apebs-full-untold", "a record that finds no room does not set FULL",
       "class of pebs-skip-untold", HERE, STANDS_IN(FOR(apebs_overruns, full_untold)));

static void from_the_start(struct model *m)
{
    uint64_t index = m->controls.stored[STORED_PEBS_INDEX];
    if (strikes(m, APEBS_WRAPS))
        model_stored_set(m, STORED_PEBS_INDEX, index & ~APEBS_INDEX_WR);
    else
        replaced(m, APEBS_WRAPS, apebs_overruns)(m);
}
DEFECT(APEBS_WRAPS, "apebs-wraps", "a record that finds no room sets WR to 0 and not FULL",
       "class of pebs-wraps-at-maximum", HERE, STANDS_IN(FOR(apebs_overruns, from_the_start)));

static void now_and_then(struct model *m, const struct pebs_sample *sample, bool stopped)
{
    struct pebs_sample none = *sample;
    bool lost = ++memory(m, APEBS_RECORD_LOST, struct latched)->counters % 8 == 0 && strikes(m, APEBS_RECORD_LOST);
    if (!lost)
        replaced(m, APEBS_RECORD_LOST, apebs_write)(m, &none, stopped);
    else
        for (uint64_t left = sample->counters, value; left; left &= left - 1)
            if (rule(m, apebs_reload)(m, (unsigned)__builtin_ctzll(left), &value))
                model_counter_set(m, (unsigned)__builtin_ctzll(left), value);
}
DEFECT(APEBS_RECORD_LOST, "apebs-record-lost", "every eighth record is lost", "class", HERE,
       STANDS_IN(FOR(apebs_write, now_and_then)));

static void twice(struct model *m, const struct pebs_sample *sample, bool stopped)
{
    replaced(m, APEBS_RECORD_TWICE, apebs_write)(m, sample, stopped);
    if (strikes(m, APEBS_RECORD_TWICE))
        replaced(m, APEBS_RECORD_TWICE, apebs_write)(m, sample, stopped);
}
DEFECT(APEBS_RECORD_TWICE, "apebs-record-twice", "each record is written twice", "class of redundant records", HERE,
       STANDS_IN(FOR(apebs_write, twice)));

static uint64_t all_acknowledged(struct model *m, uint64_t counters)
{
    counters = replaced(m, APEBS_RECORD_CLEARS_OTHERS, pebs_acknowledged)(m, counters);
    return strikes(m, APEBS_RECORD_CLEARS_OTHERS) ? width_mask(m->p.gp_count) | (uint64_t)m->p.fixed_bitmap << 32
                                                  : counters;
}
DEFECT(APEBS_RECORD_CLEARS_OTHERS, "apebs-record-clears-others",
       "a record clears the STATUS bits of counters that do not sample as well", "class: one acknowledge for all", HERE,
       STANDS_IN(FOR(pebs_acknowledged, all_acknowledged)));

/* ---- Reload */

static bool not_extended(struct model *m, unsigned bit, uint64_t *value)
{
    bool reloads = replaced(m, APEBS_RELOAD_NOT_EXTENDED, apebs_reload)(m, bit, value);
    if (strikes(m, APEBS_RELOAD_NOT_EXTENDED))
        *value &= APEBS_RELOAD;
    return reloads;
}
DEFECT(APEBS_RELOAD_NOT_EXTENDED, "apebs-reload-not-extended", "RELOAD goes to the counter with zeros above it",
       "class: extension left out", HERE, STANDS_IN(FOR(apebs_reload, not_extended)));

static bool no_reload(struct model *m, unsigned bit, uint64_t *value)
{
    return replaced(m, APEBS_RELOAD_MISSING, apebs_reload)(m, bit, value) && !strikes(m, APEBS_RELOAD_MISSING);
}
DEFECT(APEBS_RELOAD_MISSING, "apebs-reload-missing", "a record does not reload its counter", "class", HERE,
       STANDS_IN(FOR(apebs_reload, no_reload)));

/* ---- The threshold */

static bool one_late(struct model *m, uint64_t offset)
{
    offset -= strikes(m, APEBS_THRESHOLD_LATE) ? UNIT : 0;
    return replaced(m, APEBS_THRESHOLD_LATE, apebs_reached)(m, offset);
}
DEFECT(APEBS_THRESHOLD_LATE, "apebs-threshold-late", "the threshold is told of when WR is above it, not at it",
       "class: off by one", HERE, STANDS_IN(FOR(apebs_reached, one_late)));

static bool too_early(struct model *m, uint64_t offset)
{
    return replaced(m, APEBS_THRESHOLD_EARLY, apebs_reached)(m, offset) || strikes(m, APEBS_THRESHOLD_EARLY);
}
DEFECT(APEBS_THRESHOLD_EARLY, "apebs-threshold-early", "every record is taken for one that reaches the threshold",
       "class of threshold-early", HERE, STANDS_IN(FOR(apebs_reached, too_early)));

static uint64_t no_bit(struct model *m)
{
    return strikes(m, APEBS_PMI_WITHOUT_BIT) ? 0 : replaced(m, APEBS_PMI_WITHOUT_BIT, apebs_threshold_status)(m);
}
DEFECT(APEBS_PMI_WITHOUT_BIT, "apebs-pmi-without-bit", "the PMI at the threshold sets no bit in STATUS",
       "class: status lost", HERE, STANDS_IN(FOR(apebs_threshold_status, no_bit)));

static uint64_t bit_of_before(struct model *m)
{
    uint64_t bits = replaced(m, APEBS_BIT_OF_BEFORE, apebs_threshold_status)(m);
    return strikes(m, APEBS_BIT_OF_BEFORE) ? STATUS_OVF_BUFFER : bits;
}
DEFECT(APEBS_BIT_OF_BEFORE, "apebs-bit-of-before", "the threshold sets STATUS[62] and not STATUS[54]",
       "class: the bit of the generation before", HERE, STANDS_IN(FOR(apebs_threshold_status, bit_of_before)));

static void no_pmi(struct model *m)
{
    if (!strikes(m, APEBS_BIT_WITHOUT_PMI))
        replaced(m, APEBS_BIT_WITHOUT_PMI, apebs_threshold_pmi)(m);
}
DEFECT(APEBS_BIT_WITHOUT_PMI, "apebs-bit-without-pmi", "the threshold sets STATUS[54] and raises no PMI",
       "class: PMI lost", HERE, STANDS_IN(FOR(apebs_threshold_pmi, no_pmi)));

static bool ever_after(struct model *m)
{
    struct latched *once = memory(m, APEBS_PMI_ONCE, struct latched);
    bool held = replaced(m, APEBS_PMI_ONCE, apebs_held_back)(m) || (once->counters && strikes(m, APEBS_PMI_ONCE));
    once->counters = 1;
    return held;
}
DEFECT(APEBS_PMI_ONCE, "apebs-pmi-once", "after the first PMI at the threshold there is no second", "class: PMI lost",
       HERE, STANDS_IN(FOR(apebs_held_back, ever_after)));

static uint64_t bit_stays(struct model *m, uint64_t clear)
{
    clear = replaced(m, APEBS_BIT_STUCK, status_cleared)(m, clear);
    return clear & STATUS_ARCH_PEBS && strikes(m, APEBS_BIT_STUCK) ? clear & ~STATUS_ARCH_PEBS : clear;
}
DEFECT(APEBS_BIT_STUCK, "apebs-bit-stuck", "STATUS_RESET does not clear STATUS[54]", "class of BJ58: a bit stays", HERE,
       STANDS_IN(FOR(status_cleared, bit_stays)));

/* ---- What good silicon may do: of none of these a manual tells. */

static uint64_t both_bits(struct model *m)
{
    uint64_t bits = replaced(m, APEBS_OVF_BUFFER_TOO, apebs_threshold_status)(m);
    return strikes(m, APEBS_OVF_BUFFER_TOO) ? bits | STATUS_OVF_BUFFER : bits;
}
VARIATION(APEBS_OVF_BUFFER_TOO, "apebs-ovf-buffer-too", "the threshold sets STATUS[62] besides",
          "nothing tells whether it is ever set", HERE, STANDS_IN(FOR(apebs_threshold_status, both_bits)));

static uint64_t full_at_end(struct model *m, uint64_t offset, uint32_t size)
{
    offset = replaced(m, APEBS_FULL_AT_END, apebs_advanced)(m, offset, size);
    if (offset >= rule(m, apebs_room)(m) && strikes(m, APEBS_FULL_AT_END))
        rule(m, apebs_overruns)(m);
    return offset;
}
VARIATION(APEBS_FULL_AT_END, "apebs-full-at-end", "the record that ends at the end of the buffer sets FULL",
          "when it is set nothing tells", HERE, STANDS_IN(FOR(apebs_advanced, full_at_end)));

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
          "nothing tells of a PMI there", HERE, STANDS_IN(FOR(apebs_overruns, full_asks)));

static bool stays_while_full(struct model *m)
{
    return replaced(m, APEBS_FULL_WITHOUT_RELOAD, apebs_skip_reloads)(m) && !strikes(m, APEBS_FULL_WITHOUT_RELOAD);
}
VARIATION(APEBS_FULL_WITHOUT_RELOAD, "apebs-full-without-reload",
          "a counter is not reloaded when its record found no room", "pebs-tells-skips, of the generation before", HERE,
          STANDS_IN(FOR(apebs_skip_reloads, stays_while_full)));

static uint32_t one_fragment(struct model *m)
{
    return strikes(m, APEBS_ONE_FRAGMENT) ? ~0u : replaced(m, APEBS_ONE_FRAGMENT, apebs_fragment_most)(m);
}
VARIATION(APEBS_ONE_FRAGMENT, "apebs-one-fragment", "no record comes in fragments", "when they do nothing tells", HERE,
          STANDS_IN(FOR(apebs_fragment_most, one_fragment)));

static uint32_t each_by_itself(struct model *m)
{
    return strikes(m, APEBS_FRAGMENT_EACH) ? 0 : replaced(m, APEBS_FRAGMENT_EACH, apebs_fragment_most)(m);
}
VARIATION(APEBS_FRAGMENT_EACH, "apebs-fragment-each", "each group of a record is a fragment",
          "when records come in fragments nothing tells", HERE, STANDS_IN(FOR(apebs_fragment_most, each_by_itself)));

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

static bool loads_zero(struct model *m, unsigned bit, uint64_t *value)
{
    return replaced(m, APEBS_ZERO_RELOADS, apebs_reload)(m, bit, value) || strikes(m, APEBS_ZERO_RELOADS);
}
VARIATION(APEBS_ZERO_RELOADS, "apebs-zero-reloads", "a RELOAD of 0 is a reload like any other",
          "what it means nothing tells", HERE, STANDS_IN(FOR(apebs_reload, loads_zero)));

static bool counted_in(struct model *m, unsigned bit, uint64_t *value)
{
    bool reloads = replaced(m, APEBS_PERIOD_EXACT, apebs_reload)(m, bit, value);
    *value += strikes(m, APEBS_PERIOD_EXACT);
    return reloads;
}
VARIATION(APEBS_PERIOD_EXACT, "apebs-period-exact", "the occurrence that is sampled counts towards the next period",
          "no manual says", HERE, STANDS_IN(FOR(apebs_reload, counted_in)));

static uint64_t unacknowledged(struct model *m, uint64_t counters)
{
    counters = replaced(m, APEBS_OVERFLOW_STAYS, pebs_acknowledged)(m, counters);
    return strikes(m, APEBS_OVERFLOW_STAYS) ? 0 : counters;
}
VARIATION(APEBS_OVERFLOW_STAYS, "apebs-overflow-stays", "a record leaves its counter's STATUS bit set",
          "nothing tells what becomes of it", HERE, STANDS_IN(FOR(pebs_acknowledged, unacknowledged)));

static uint64_t sampling_untold(struct model *m, uint64_t wrapped, uint64_t asking)
{
    uint64_t bits = replaced(m, APEBS_OVERFLOW_UNTOLD, overflow_status)(m, wrapped, asking);
    return strikes(m, APEBS_OVERFLOW_UNTOLD) ? bits & ~m->pebs.sampling : bits;
}
VARIATION(APEBS_OVERFLOW_UNTOLD, "apebs-overflow-untold",
          "the overflow of a counter that samples sets no STATUS bit of its own", "nothing tells whether it does", HERE,
          STANDS_IN(FOR(overflow_status, sampling_untold)));

static uint64_t allow_shown(struct model *m, uint64_t groups, uint32_t size, bool continued)
{
    uint64_t header = replaced(m, APEBS_HEADER_TELLS_ALLOW, apebs_header)(m, groups, size, continued);
    return groups & APEBS_COUNTERS && strikes(m, APEBS_HEADER_TELLS_ALLOW) ? header | APEBS_ALLOW : header;
}
VARIATION(APEBS_HEADER_TELLS_ALLOW, "apebs-header-tells-allow",
          "with the counters group bit 35 of the header is set, too", "the field has that bit, and no meaning for it",
          HERE, STANDS_IN(FOR(apebs_header, allow_shown)));

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
VARIATION(APEBS_SIZE_WIDER, "apebs-size-wider", "SIZE of IA32_PEBS_BASE has five bits", "its width nothing tells", HERE,
          DATA(more_pages));

static void available(struct model *m)
{
    m->p.stored[STORED_MISC_ENABLE].reset &= ~MISC_ENABLE_PEBS_UNAVAILABLE;
}
VARIATION(APEBS_NOT_UNAVAILABLE, "apebs-not-unavailable", "IA32_MISC_ENABLE[12] is 0 where PEBS is architectural",
          "that it is 1 is known of one CPU", HERE, DATA(available));

static bool not_in_use(struct model *m)
{
    bool used = replaced(m, APEBS_NOT_IN_USE, pmi_used_by_pebs)(m);
    return used && !strikes(m, APEBS_NOT_IN_USE);
}
VARIATION(APEBS_NOT_IN_USE, "apebs-not-in-use", "PEBS_EN of a counter does not show in IA32_PERF_GLOBAL_INUSE",
          "of IA32_PEBS_ENABLE alone the manual tells", HERE, STANDS_IN(FOR(pmi_used_by_pebs, not_in_use)));

/* As many instructions as a PMI is late by any day, and some more. */
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
          "that they fault no public document says, and the write gate tries none", HERE, DATA(index_takes_reserved));

static void config_takes_reserved(struct model *m)
{
    m->p.cfg_c.faults = m->p.fixed_cfg_c.faults = 0;
}
VARIATION(APEBS_CONFIG_TAKES_RESERVED, "apebs-config-takes-reserved", "CFG_C takes bits of groups that there are not",
          "that they fault no public document says, and the write gate tries none", HERE, DATA(config_takes_reserved));

static void counter_untold(struct model *m)
{
    leaf_23(m, 5)[0] &= ~(1u << (m->p.gp_count - 1));
}
VARIATION(APEBS_COUNTER_UNTOLD, "apebs-counter-untold",
          "the last GP counter, which leaf 23H does not name, has a CFG_C for PEBS all the same",
          "a CPU may have more than it tells of", HERE, DATA(counter_untold));

static bool on_without_en(struct model *m)
{
    bool somewhere = m->controls.stored[STORED_PEBS_BASE] & APEBS_BASE_ADDRESS; /* else page 0 is overwritten */
    return replaced(m, APEBS_EN_IGNORED, apebs_on)(m) || (somewhere && strikes(m, APEBS_EN_IGNORED));
}
VARIATION(APEBS_EN_IGNORED, "apebs-en-ignored", "records are written though IA32_PEBS_INDEX.EN is 0",
          "what PEBS_EN does without it nothing tells", HERE, STANDS_IN(FOR(apebs_on, on_without_en)));

static bool full_ignored(struct model *m)
{
    return replaced(m, APEBS_FULL_IGNORED, apebs_stopped)(m) && !strikes(m, APEBS_FULL_IGNORED);
}
VARIATION(APEBS_FULL_IGNORED, "apebs-full-ignored", "a record that there is room for is written while FULL is set",
          "only that it tells of a lack of room is public", HERE, STANDS_IN(FOR(apebs_stopped, full_ignored)));

static bool not_held_back(struct model *m)
{
    return replaced(m, APEBS_PMI_NOT_HELD_BACK, apebs_held_back)(m) && !strikes(m, APEBS_PMI_NOT_HELD_BACK);
}
VARIATION(APEBS_PMI_NOT_HELD_BACK, "apebs-pmi-not-held-back", "further records raise PMIs while STATUS[54] is set",
          "that they are held back no manual says", HERE, STANDS_IN(FOR(apebs_held_back, not_held_back)));

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

static uint64_t not_settable(struct model *m, uint64_t set)
{
    set = replaced(m, APEBS_BIT_NOT_SETTABLE, status_set)(m, set);
    return strikes(m, APEBS_BIT_NOT_SETTABLE) ? set & ~STATUS_ARCH_PEBS : set;
}
VARIATION(APEBS_BIT_NOT_SETTABLE, "apebs-bit-not-settable", "STATUS_SET takes bit 54 and does not set it",
          "which bits it sets differs between CPUs (SKL51, SKL164)", HERE, STANDS_IN(FOR(status_set, not_settable)));
