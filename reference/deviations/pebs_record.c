/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of the contents of a PEBS record. */
#define CHAPTERS "pebs.*,netburst.*"
#include "reference/deviations/stand_in.h"

#define FAR_AWAY 0x10000 /* far enough from the right address */

/* ---- Addresses */

static void eventing_ip_wrong(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, EVENTING_IP_WRONG, pebs_capture)(m, in, s);
    s->eventing_ip += strikes(m, EVENTING_IP_WRONG) ? FAR_AWAY : 0;
}
DEFECT(EVENTING_IP_WRONG, "eventing-ip-wrong", "EventingIP lies 64 KB above where it should",
       "SKL120, HSD167; Haswell to Comet Lake", STANDS_IN(FOR(pebs_capture, eventing_ip_wrong)));

static void rip_wrong(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, PEBS_RIP_WRONG, pebs_capture)(m, in, s);
    s->registers.rip += strikes(m, PEBS_RIP_WRONG) ? FAR_AWAY : 0;
}
DEFECT(PEBS_RIP_WRONG, "pebs-rip-wrong", "RIP in the record lies 64 KB above where it should", "class of SKL120",
       NOT_BY(ERRATUM("AJ67", 0x6f7, 0x6a, 0, 0)), STANDS_IN(FOR(pebs_capture, rip_wrong)));

struct previous {
    uint64_t rip;
};

static void previous_passes(struct model *m, const struct retired *in)
{
    replaced(m, EVENTING_IP_BEFORE_NOT_TAKEN_JCC, after_instruction)(m, in);
    memory(m, EVENTING_IP_BEFORE_NOT_TAKEN_JCC, struct previous)->rip = in->rip;
}

static void ip_before_branch(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    bool falls_through = in->kind == RETIRED_BRANCH && !in->taken;
    replaced(m, EVENTING_IP_BEFORE_NOT_TAKEN_JCC, pebs_capture)(m, in, s);
    if (falls_through && strikes(m, EVENTING_IP_BEFORE_NOT_TAKEN_JCC))
        s->eventing_ip = memory(m, EVENTING_IP_BEFORE_NOT_TAKEN_JCC, struct previous)->rip;
}
VARIATION(EVENTING_IP_BEFORE_NOT_TAKEN_JCC, "eventing-ip-before-not-taken-jcc",
          "for a branch that is not taken, EventingIP is the instruction before it",
          "SKL18, BDM50; Broadwell to Comet Lake",
          STANDS_IN(FOR(after_instruction, previous_passes), FOR(pebs_capture, ip_before_branch)));

static void ip_of_next(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, PEBS_IP_NEXT, pebs_capture)(m, in, s);
    if (m->pebs.records % parameter(m, PEBS_IP_NEXT) == 0 && strikes(m, PEBS_IP_NEXT))
        s->eventing_ip = s->registers.rip;
}
VARIATION(PEBS_IP_NEXT, "pebs-ip-next", "in every 200th record EventingIP is the next instruction's",
          "skid; macro-fusion", PARAMETER("every", 1, 1000000, 200), STANDS_IN(FOR(pebs_capture, ip_of_next)));

static void address_wrong(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, PEBS_ADDRESS_WRONG, pebs_capture)(m, in, s);
    if (s->address && strikes(m, PEBS_ADDRESS_WRONG))
        s->address += 8;
}
DEFECT(PEBS_ADDRESS_WRONG, "pebs-address-wrong", "the data address is 8 too high", "class",
       STANDS_IN(FOR(pebs_capture, address_wrong)));

static void address_cut(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, DLA_NOT_SIGN_EXTENDED, pebs_capture)(m, in, s);
    if (s->address && strikes(m, DLA_NOT_SIGN_EXTENDED))
        s->address &= MASK(47, 0);
}
DEFECT(DLA_NOT_SIGN_EXTENDED, "dla-not-sign-extended", "data addresses have bits 63:48 clear", "AAJ75; Nehalem",
       ALSO_ON("haswell"), MEANT_FOR("errata.*"), MIMICS(ERRATUM_ON("nehalem", "AAJ75", 0x106a4, 0x13, 0, 0)),
       STANDS_IN(FOR(pebs_capture, address_cut)));

static void address_extended(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, DLA_SIGN_ALWAYS_SET, pebs_capture)(m, in, s);
    if (s->address && strikes(m, DLA_SIGN_ALWAYS_SET))
        s->address |= MASK(63, 48);
}
DEFECT(DLA_SIGN_ALWAYS_SET, "dla-sign-always-set", "data addresses have bits 63:48 set", "class of AAJ75",
       MEANT_FOR("errata.*"), NOT_BY(ERRATUM_ON("nehalem", "AAJ75", 0x106a4, 0x13, 0, 0)),
       STANDS_IN(FOR(pebs_capture, address_extended)));

static void store_address_wrong(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, STORE_ADDRESS_WRONG, pebs_capture)(m, in, s);
    if (s->address && (in->access & ACCESS_STORE) && strikes(m, STORE_ADDRESS_WRONG))
        s->address += 8;
}
DEFECT(STORE_ADDRESS_WRONG, "store-address-wrong", "the address of a precise store is 8 too high", "class",
       ON("sandy-bridge"), STANDS_IN(FOR(pebs_capture, store_address_wrong)));

static void store_latency_left(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, STORE_LATENCY_LEFT, pebs_capture)(m, in, s);
    if (s->address && (in->access & ACCESS_STORE) && strikes(m, STORE_LATENCY_LEFT))
        s->latency = 7;
}
VARIATION(STORE_LATENCY_LEFT, "store-latency-left", "the record of a precise store holds a latency",
          "the manual's text has 0 there, its table calls it reserved", ON("sandy-bridge"),
          STANDS_IN(FOR(pebs_capture, store_latency_left)));

CHANGED(selected_event, no_precise_store, PRECISE_STORE_DEAD,
        good == EVENT_PRECISE_STORE && strikes(m, PRECISE_STORE_DEAD) ? EVENT_NONE : good);
DEFECT(PRECISE_STORE_DEAD, "precise-store-dead", "IA32_PMC3 samples no stores", "class", ON("sandy-bridge"),
       STANDS_IN(FOR(selected_event, no_precise_store)));

CHANGED(selected_event, no_load_latency, LOAD_LATENCY_DEAD,
        good == EVENT_LOAD_LATENCY && strikes(m, LOAD_LATENCY_DEAD) ? EVENT_NONE : good);
DEFECT(LOAD_LATENCY_DEAD, "load-latency-dead", "no loads are sampled by latency", "class of HSD171, which comes later",
       ALSO_ON("nehalem", "haswell", "ice-lake", "lunar-lake"),
       MIMICS(ERRATUM_ON("haswell", "HSD171", 0x306c3, 0x27, 0, 2), ERRATUM("KBL115", 0x906e9, 0x84, 0, 2)),
       NOT_BY(ERRATUM_ON("haswell", "HSD171", 0x306c3, 0x27, 0, 1)), STANDS_IN(FOR(selected_event, no_load_latency)));

/* The last counter that can count them on this profile. */
static uint8_t last_no_load_latency(struct model *m, unsigned n, uint64_t evtsel)
{
    uint8_t event = replaced(m, LOAD_LATENCY_DEAD_ON_LAST, selected_event)(m, n, evtsel);
    bool last = !(m->p.pebs_latency_gp >> (n + 1));
    return event == EVENT_LOAD_LATENCY && last && strikes(m, LOAD_LATENCY_DEAD_ON_LAST) ? EVENT_NONE : event;
}
DEFECT(LOAD_LATENCY_DEAD_ON_LAST, "load-latency-dead-on-last",
       "the last of the counters that sample loads by latency samples none", "class: an enable bit that is not there",
       ALSO_ON("ice-lake", "lunar-lake"), STANDS_IN(FOR(selected_event, last_no_load_latency)));

static void latency_zero(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, PEBS_LATENCY_ZERO, pebs_capture)(m, in, s);
    if (s->latency && strikes(m, PEBS_LATENCY_ZERO))
        s->latency = 0;
}
VARIATION(PEBS_LATENCY_ZERO, "pebs-latency-zero", "the latency of a load is 0",
          "class of SKL136; what a load took is measured", STANDS_IN(FOR(pebs_capture, latency_zero)));

/* ---- Registers */

static void swap(uint64_t *a, uint64_t *b)
{
    uint64_t was = *a;
    *a = *b;
    *b = was;
}

struct last_record {
    struct model_registers registers;
};

static void registers_stale(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    struct last_record *last = memory(m, PEBS_REGISTERS_STALE, struct last_record);
    replaced(m, PEBS_REGISTERS_STALE, pebs_capture)(m, in, s);
    if (!strikes(m, PEBS_REGISTERS_STALE))
        return;
    struct model_registers now = s->registers;
    s->registers = last->registers;
    s->registers.rip = now.rip;
    last->registers = now;
}
DEFECT(PEBS_REGISTERS_STALE, "pebs-registers-stale", "general registers are those of the record before", "class",
       STANDS_IN(FOR(pebs_capture, registers_stale)));

static void kernel_registers(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, PEBS_REGISTERS_WRONG_AT_CPL_3, pebs_capture)(m, in, s);
    if (in->cpl && strikes(m, PEBS_REGISTERS_WRONG_AT_CPL_3))
        s->registers.general[8] = s->registers.general[9];
}
DEFECT(PEBS_REGISTERS_WRONG_AT_CPL_3, "pebs-registers-wrong-at-cpl-3", "in records of CPL 3 R8 has the value of R9",
       "class: a path of its own for the user", ALSO_ON("ice-lake", "lunar-lake"), MEANT_FOR("pebs.registers"),
       STANDS_IN(FOR(pebs_capture, kernel_registers)));

static void user_ip_off(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, PEBS_IP_WRONG_AT_CPL_3, pebs_capture)(m, in, s);
    if (!in->cpl || !strikes(m, PEBS_IP_WRONG_AT_CPL_3))
        return;
    s->registers.rip += FAR_AWAY;
    s->eventing_ip += FAR_AWAY;
}
DEFECT(PEBS_IP_WRONG_AT_CPL_3, "pebs-ip-wrong-at-cpl-3", "in records of CPL 3 the addresses lie 64 KB above the code",
       "class of SKL120", ALSO_ON("lunar-lake"), MEANT_FOR("pebs.*"), STANDS_IN(FOR(pebs_capture, user_ip_off)));

static void one_register_stale(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    struct last_record *last = memory(m, PEBS_REGISTER_OF_LAST_RECORD, struct last_record);
    uint64_t n = parameter(m, PEBS_REGISTER_OF_LAST_RECORD);
    replaced(m, PEBS_REGISTER_OF_LAST_RECORD, pebs_capture)(m, in, s);
    uint64_t now = s->registers.general[n];
    if (m->pebs.records && strikes(m, PEBS_REGISTER_OF_LAST_RECORD))
        s->registers.general[n] = last->registers.general[n];
    last->registers.general[n] = now;
}
DEFECT(PEBS_REGISTER_OF_LAST_RECORD, "pebs-register-of-last-record",
       "R13 in a record is that of the record before, if there is one", "class of pebs-registers-stale",
       PARAMETER("register", 1, 15, 13), MEANT_FOR("pebs.registers"), STANDS_IN(FOR(pebs_capture, one_register_stale)));

static void registers_swapped(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, PEBS_REGISTERS_SWAPPED, pebs_capture)(m, in, s);
    if (strikes(m, PEBS_REGISTERS_SWAPPED))
        swap(&s->registers.general[1], &s->registers.general[3]);
}
DEFECT(PEBS_REGISTERS_SWAPPED, "pebs-registers-swapped", "RBX and RCX are exchanged in the record",
       "class: the two orders of the formats", STANDS_IN(FOR(pebs_capture, registers_swapped)));

static void high_registers_zero(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, PEBS_HIGH_REGISTERS_ZERO, pebs_capture)(m, in, s);
    if (strikes(m, PEBS_HIGH_REGISTERS_ZERO))
        for (unsigned i = 8; i < 16; i++)
            s->registers.general[i] = 0;
}
DEFECT(PEBS_HIGH_REGISTERS_ZERO, "pebs-high-registers-zero", "R8 to R15 are 0 in the record",
       "what formats do outside IA-32e mode", STANDS_IN(FOR(pebs_capture, high_registers_zero)));

static void rflags_zero(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, PEBS_RFLAGS_ZERO, pebs_capture)(m, in, s);
    if (strikes(m, PEBS_RFLAGS_ZERO))
        s->registers.rflags = 0;
}
DEFECT(PEBS_RFLAGS_ZERO, "pebs-rflags-zero", "RFLAGS are 0 in the record", "class",
       STANDS_IN(FOR(pebs_capture, rflags_zero)));

static void carry_clear(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, PEBS_CARRY_CLEAR, pebs_capture)(m, in, s);
    if ((s->registers.rflags & BIT(0)) && strikes(m, PEBS_CARRY_CLEAR))
        s->registers.rflags &= ~BIT(0);
}
DEFECT(PEBS_CARRY_CLEAR, "pebs-carry-clear", "CF is 0 in the record's RFLAGS", "class of pebs-rflags-zero",
       ALSO_ON("nehalem", "ice-lake", "panther-lake"), MEANT_FOR("pebs.registers"),
       STANDS_IN(FOR(pebs_capture, carry_clear)));

static void rf_set(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, PEBS_RF_SET, pebs_capture)(m, in, s);
    if (strikes(m, PEBS_RF_SET))
        s->registers.rflags |= BIT(16);
}
VARIATION(PEBS_RF_SET, "pebs-rf-set", "RF is set in the record's RFLAGS", "HSD168, SKL124; Haswell to Comet Lake",
          STANDS_IN(FOR(pebs_capture, rf_set)));

static void xmm_zero(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, PEBS_XMM_ZERO, pebs_capture)(m, in, s);
    bool zero = strikes(m, PEBS_XMM_ZERO);
    for (unsigned i = 0; zero && i < ARRAY_SIZE(s->registers.xmm); i++)
        s->registers.xmm[i][0] = s->registers.xmm[i][1] = 0;
}
DEFECT(PEBS_XMM_ZERO, "pebs-xmm-zero", "the XMM group is zeros", "class", ON("ice-lake"),
       STANDS_IN(FOR(pebs_capture, xmm_zero)));

static void xmm_halves_swapped(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, PEBS_XMM_HALVES_SWAPPED, pebs_capture)(m, in, s);
    bool swapped = strikes(m, PEBS_XMM_HALVES_SWAPPED);
    for (unsigned i = 0; swapped && i < ARRAY_SIZE(s->registers.xmm); i++)
        swap(&s->registers.xmm[i][0], &s->registers.xmm[i][1]);
}
DEFECT(PEBS_XMM_HALVES_SWAPPED, "pebs-xmm-halves-swapped", "the halves of XMM registers are exchanged", "class",
       ON("ice-lake"), STANDS_IN(FOR(pebs_capture, xmm_halves_swapped)));

/* ---- Other fields */

static void tsc_zero(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, PEBS_TSC_ZERO, pebs_capture)(m, in, s);
    if (strikes(m, PEBS_TSC_ZERO))
        s->tsc = 0;
}
DEFECT(PEBS_TSC_ZERO, "pebs-tsc-zero", "TSC is 0 in the record", "class", STANDS_IN(FOR(pebs_capture, tsc_zero)));

static void status_zero(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, PEBS_STATUS_FIELD_ZERO, pebs_capture)(m, in, s);
    if (strikes(m, PEBS_STATUS_FIELD_ZERO))
        s->status = 0;
}
VARIATION(PEBS_STATUS_FIELD_ZERO, "pebs-status-field-zero", "IA32_PERF_GLOBAL_STATUS is 0 in the record",
          "Linux, formats 1 and 2", ON("haswell"), STANDS_IN(FOR(pebs_capture, status_zero)));

static void status_of_neighbour(struct model *m, const struct retired *in, struct pebs_sample *s)
{
    replaced(m, PEBS_STATUS_NEIGHBOUR, pebs_capture)(m, in, s);
    if (strikes(m, PEBS_STATUS_NEIGHBOUR))
        s->status |= s->counters & 1 ? s->counters << 1 : s->counters >> 1;
}
DEFECT(PEBS_STATUS_NEIGHBOUR, "pebs-status-neighbour", "the status in the record also shows the next counter", "class",
       ON("haswell"), STANDS_IN(FOR(pebs_capture, status_of_neighbour)));

CHANGED(pebs_named, names_neighbour, PEBS_APPLICABLE_NEIGHBOUR,
        strikes(m, PEBS_APPLICABLE_NEIGHBOUR) ? good << 1 : good);
DEFECT(PEBS_APPLICABLE_NEIGHBOUR, "pebs-applicable-neighbour", "the record names the next counter", "class",
       ALSO_ON("ice-lake", "lunar-lake", "sapphire-rapids"), STANDS_IN(FOR(pebs_named, names_neighbour)));

INSTEAD(pebs_named, names_none, strikes(m, PEBS_APPLICABLE_ZERO) ? 0 : below(PEBS_APPLICABLE_ZERO, pebs_named));
DEFECT(PEBS_APPLICABLE_ZERO, "pebs-applicable-zero", "the record names no counter", "the race of formats 1 and 2",
       STANDS_IN(FOR(pebs_named, names_none)));

/* ---- Groups */

static uint64_t adaptive_bit_ignored(struct model *m, uint64_t counters)
{
    uint64_t ones = replaced(m, PEBS_ADAPTIVE_IGNORED, pebs_adaptive)(m, counters);
    bool could = m->p.perf_capabilities & PERF_CAP_PEBS_BASELINE;
    return could && strikes(m, PEBS_ADAPTIVE_IGNORED) ? counters : ones;
}
DEFECT(PEBS_ADAPTIVE_IGNORED, "pebs-adaptive-ignored",
       "records have the groups of MSR_PEBS_DATA_CFG without the counter's ADAPTIVE bit", "class", ON("ice-lake"),
       STANDS_IN(FOR(pebs_adaptive, adaptive_bit_ignored)));

static uint64_t first_left_out(struct model *m, uint64_t groups)
{
    groups = replaced(m, PEBS_GROUP_MISSING, pebs_groups)(m, groups);
    if (!strikes(m, PEBS_GROUP_MISSING))
        return groups;
    return groups & (groups - 1) & MASK(3, 0) ? groups & (groups - 1) : groups & ~MASK(3, 0);
}
DEFECT(PEBS_GROUP_MISSING, "pebs-group-missing", "the first requested group is left out", "class", ON("ice-lake"),
       STANDS_IN(FOR(pebs_groups, first_left_out)));

static uint64_t one_entry_less(struct model *m, uint64_t groups)
{
    groups = replaced(m, PEBS_LBR_ONE_SHORT, pebs_groups)(m, groups);
    bool several = (groups & PEBS_DATA_LBR) && (groups & MASK(31, 24));
    return several && strikes(m, PEBS_LBR_ONE_SHORT) ? groups - FIELD(31, 24, 1) : groups;
}
DEFECT(PEBS_LBR_ONE_SHORT, "pebs-lbr-one-short", "the LBR group has one entry less than requested",
       "class: the field is entries - 1", ON("ice-lake"), STANDS_IN(FOR(pebs_groups, one_entry_less)));

static uint64_t groups_shown_wrong(struct model *m, uint64_t groups, uint32_t size)
{
    if (groups && strikes(m, PEBS_GROUPS_SHOWN_WRONG))
        groups ^= PEBS_DATA_MEMINFO;
    return replaced(m, PEBS_GROUPS_SHOWN_WRONG, pebs_first_word)(m, groups, size);
}
DEFECT(PEBS_GROUPS_SHOWN_WRONG, "pebs-groups-shown-wrong", "the record's own list of groups has MEMINFO inverted",
       "class", ON("ice-lake"), STANDS_IN(FOR(pebs_first_word, groups_shown_wrong)));

INSTEAD(pebs_first_word, size_shown_wrong,
        replaced(m, PEBS_SIZE_WRONG, pebs_first_word)(m, groups, strikes(m, PEBS_SIZE_WRONG) ? size + 8 : size));
DEFECT(PEBS_SIZE_WRONG, "pebs-size-wrong", "the record's own size is 8 too big", "class", ON("ice-lake"),
       STANDS_IN(FOR(pebs_first_word, size_shown_wrong)));

/* The retire latency, on CPUs that have it: bits 47:32. */
static bool tells_time(const struct model *m)
{
    return m->p.perf_capabilities & PERF_CAP_PEBS_TIMING;
}

CHANGED(pebs_first_word, time_unannounced, PEBS_TIME_UNANNOUNCED,
        !tells_time(m) && strikes(m, PEBS_TIME_UNANNOUNCED) ? good | FIELD(47, 32, 3) : good);
DEFECT(PEBS_TIME_UNANNOUNCED, "pebs-time-unannounced",
       "records have the retire latency although IA32_PERF_CAPABILITIES[17] is clear", "class", ON("ice-lake"),
       MEANT_FOR("pebs.timed"), STANDS_IN(FOR(pebs_first_word, time_unannounced)));

CHANGED(pebs_first_word, time_in_format, PEBS_TIME_IN_FORMAT,
        tells_time(m) && strikes(m, PEBS_TIME_IN_FORMAT) ? good | BIT(31) : good);
DEFECT(PEBS_TIME_IN_FORMAT, "pebs-time-in-format",
       "the retire latency begins one bit too low, in the highest bit of the record's format", "class",
       ON("sapphire-rapids"), MEANT_FOR("pebs.timed"), STANDS_IN(FOR(pebs_first_word, time_in_format)));

CHANGED(pebs_first_word, time_longest, PEBS_TIME_LONGEST,
        tells_time(m) && strikes(m, PEBS_TIME_LONGEST) ? good | MASK(47, 32) : good);
VARIATION(PEBS_TIME_LONGEST, "pebs-time-longest", "the retire latency of each record is the highest value",
          "the time of an instruction is its own", ON("sapphire-rapids"),
          STANDS_IN(FOR(pebs_first_word, time_longest)));

/* ---- A change of MSR_PEBS_DATA_CFG */

struct regrouped {
    uint64_t were; /* groups before the last change */
    bool changed;  /* true until a record has shown it or IA32_DS_AREA is written */
};

static void regroup(struct regrouped *regrouped, unsigned which, uint64_t was, uint64_t value)
{
    if (which == STORED_DS_AREA)
        regrouped->changed = false;
    if (which == STORED_PEBS_DATA_CFG && was && was != value)
        *regrouped = (struct regrouped){was, true};
}

static uint64_t old_groups_noted(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    regroup(memory(m, RECORD_OLD_SIZE_AFTER_DATA_CFG, struct regrouped), which, was, value);
    return replaced(m, RECORD_OLD_SIZE_AFTER_DATA_CFG, stored_kept)(m, which, was, value);
}

static uint64_t old_groups_once(struct model *m, uint64_t groups)
{
    struct regrouped *regrouped = memory(m, RECORD_OLD_SIZE_AFTER_DATA_CFG, struct regrouped);
    bool old = regrouped->changed && strikes(m, RECORD_OLD_SIZE_AFTER_DATA_CFG);
    regrouped->changed = false;
    return old ? regrouped->were : replaced(m, RECORD_OLD_SIZE_AFTER_DATA_CFG, pebs_groups)(m, groups);
}
DEFECT(RECORD_OLD_SIZE_AFTER_DATA_CFG, "record-old-size-after-data-cfg",
       "the first record after a change of MSR_PEBS_DATA_CFG has the groups from before",
       "Linux b752ea0c class; Sapphire Rapids", ON("ice-lake"),
       STANDS_IN(FOR(stored_kept, old_groups_noted), FOR(pebs_groups, old_groups_once)));

static uint64_t change_noted(struct model *m, unsigned which, uint64_t was, uint64_t value)
{
    regroup(memory(m, DATA_CFG_STOPS_PEBS, struct regrouped), which, was, value);
    return replaced(m, DATA_CFG_STOPS_PEBS, stored_kept)(m, which, was, value);
}

INSTEAD(pebs_arms, arms_no_more,
        !(memory(m, DATA_CFG_STOPS_PEBS, struct regrouped)->changed && strikes(m, DATA_CFG_STOPS_PEBS)) &&
            below(DATA_CFG_STOPS_PEBS, pebs_arms));

static uint64_t change_shown(struct model *m, uint64_t groups)
{
    memory(m, DATA_CFG_STOPS_PEBS, struct regrouped)->changed = false;
    return replaced(m, DATA_CFG_STOPS_PEBS, pebs_groups)(m, groups);
}
DEFECT(DATA_CFG_STOPS_PEBS, "data-cfg-stops-pebs",
       "a change of MSR_PEBS_DATA_CFG ends the sampling until IA32_DS_AREA is written", "class", ON("ice-lake"),
       STANDS_IN(FOR(stored_kept, change_noted), FOR(pebs_arms, arms_no_more), FOR(pebs_groups, change_shown)));
