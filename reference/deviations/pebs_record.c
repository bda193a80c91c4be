/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of the contents of a PEBS record. */
#define CHAPTERS "pebs.*,netburst.*"
#include "reference/deviations/stand_in.h"

#define FAR_AWAY 0x10000 /* far enough from the right address */

/* ---- Addresses */

DEFECT(eventing_ip_wrong, AFTER(pebs_capture, true, sample->eventing_ip += FAR_AWAY),
       "EventingIP lies 64 KB above where it should", "SKL120, HSD167; Haswell to Comet Lake");
DEFECT(pebs_rip_wrong, AFTER(pebs_capture, true, sample->registers.rip += FAR_AWAY),
       "RIP in the record lies 64 KB above where it should", "class of SKL120",
       NOT_BY(ERRATUM("AJ67", 0x6f7, 0x6a, 0, 0)));
VARIATION(eventing_ip_before_not_taken_jcc,
          ALL(NOTED(after_instruction, true, noted = instruction->rip),
              THEN(pebs_capture, instruction->kind == RETIRED_BRANCH && !instruction->taken,
                   sample->eventing_ip = noted)),
          "for a branch that is not taken, EventingIP is the instruction before it",
          "SKL18, BDM50; Broadwell to Comet Lake");
VARIATION(pebs_ip_next,
          AFTER(pebs_capture, m->pebs.records % parameter() == 0, sample->eventing_ip = sample->registers.rip),
          "in every 200th record EventingIP is the next instruction's", "skid; macro-fusion",
          PARAMETER("every", 1, 1000000, 200));
DEFECT(pebs_address_wrong, AFTER(pebs_capture, sample->address, sample->address += 8), "the data address is 8 too high",
       "class");
DEFECT(dla_not_sign_extended, AFTER(pebs_capture, sample->address, sample->address &= MASK(47, 0)),
       "data addresses have bits 63:48 clear", "AAJ75; Nehalem", ALSO_ON("haswell"), MEANT_FOR("errata.*"),
       MIMICS(ERRATUM_ON("nehalem", "AAJ75", 0x106a4, 0x13, 0, 0)));
DEFECT(dla_sign_always_set, AFTER(pebs_capture, sample->address, sample->address |= MASK(63, 48)),
       "data addresses have bits 63:48 set", "class of AAJ75", MEANT_FOR("errata.*"),
       NOT_BY(ERRATUM_ON("nehalem", "AAJ75", 0x106a4, 0x13, 0, 0)));
DEFECT(store_address_wrong,
       AFTER(pebs_capture, sample->address && (instruction->access & ACCESS_STORE), sample->address += 8),
       "the address of a precise store is 8 too high", "class", ON("sandy-bridge"));
VARIATION(store_latency_left,
          AFTER(pebs_capture, sample->address && (instruction->access & ACCESS_STORE), sample->latency = 7),
          "the record of a precise store holds a latency", "the manual's text has 0 there, its table calls it reserved",
          ON("sandy-bridge"));
DEFECT(precise_store_dead, CHANGED(selected_event, good == EVENT_PRECISE_STORE, EVENT_NONE),
       "IA32_PMC3 samples no stores", "class", ON("sandy-bridge"));
DEFECT(load_latency_dead, CHANGED(selected_event, good == EVENT_LOAD_LATENCY, EVENT_NONE),
       "no loads are sampled by latency", "class of HSD171, which comes later",
       ALSO_ON("nehalem", "haswell", "ice-lake", "lunar-lake"),
       MIMICS(ERRATUM_ON("haswell", "HSD171", 0x306c3, 0x27, 0, 2), ERRATUM("KBL115", 0x906e9, 0x84, 0, 2)),
       NOT_BY(ERRATUM_ON("haswell", "HSD171", 0x306c3, 0x27, 0, 1)));

/* The last counter that can count them on this profile. */
DEFECT(load_latency_dead_on_last,
       CHANGED(selected_event, good == EVENT_LOAD_LATENCY && !(m->p.pebs_latency_gp >> (n + 1)), EVENT_NONE),
       "the last of the counters that sample loads by latency samples none", "class: an enable bit that is not there",
       ALSO_ON("ice-lake", "lunar-lake"));
VARIATION(pebs_latency_zero, AFTER(pebs_capture, sample->latency, sample->latency = 0), "the latency of a load is 0",
          "class of SKL136; what a load took is measured");

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

STAND_IN(pebs_registers_stale, pebs_capture)
{
    struct last_record *last = memory(struct last_record);
    below(pebs_capture);
    if (!strikes())
        return;
    struct model_registers now = sample->registers;
    sample->registers = last->registers;
    sample->registers.rip = now.rip;
    last->registers = now;
}
DEFECT(pebs_registers_stale, FUNCTIONS, "general registers are those of the record before", "class");
DEFECT(pebs_registers_wrong_at_cpl_3,
       AFTER(pebs_capture, instruction->cpl, sample->registers.general[8] = sample->registers.general[9]),
       "in records of CPL 3 R8 has the value of R9", "class: a path of its own for the user",
       ALSO_ON("ice-lake", "lunar-lake"), MEANT_FOR("pebs.registers"));
DEFECT(pebs_ip_wrong_at_cpl_3,
       AFTER(pebs_capture, instruction->cpl, sample->registers.rip += FAR_AWAY; sample->eventing_ip += FAR_AWAY),
       "in records of CPL 3 the addresses lie 64 KB above the code", "class of SKL120", ALSO_ON("lunar-lake"),
       MEANT_FOR("pebs.*"));

STAND_IN(pebs_register_of_last_record, pebs_capture)
{
    struct last_record *last = memory(struct last_record);
    uint64_t n = parameter();
    below(pebs_capture);
    uint64_t now = sample->registers.general[n];
    if (m->pebs.records && strikes())
        sample->registers.general[n] = last->registers.general[n];
    last->registers.general[n] = now;
}
DEFECT(pebs_register_of_last_record, FUNCTIONS, "R13 in a record is that of the record before, if there is one",
       "class of pebs-registers-stale", PARAMETER("register", 1, 15, 13), MEANT_FOR("pebs.registers"));
DEFECT(pebs_registers_swapped,
       AFTER(pebs_capture, true, swap(&sample->registers.general[1], &sample->registers.general[3])),
       "RBX and RCX are exchanged in the record", "class: the two orders of the formats");
DEFECT(pebs_high_registers_zero,
       AFTER(pebs_capture, true, for (unsigned i = 8; i < 16; i++) sample->registers.general[i] = 0),
       "R8 to R15 are 0 in the record", "what formats do outside IA-32e mode");
DEFECT(pebs_rflags_zero, AFTER(pebs_capture, true, sample->registers.rflags = 0), "RFLAGS are 0 in the record",
       "class");
DEFECT(pebs_carry_clear, AFTER(pebs_capture, (sample->registers.rflags & BIT(0)), sample->registers.rflags &= ~BIT(0)),
       "CF is 0 in the record's RFLAGS", "class of pebs-rflags-zero", ALSO_ON("nehalem", "ice-lake", "panther-lake"),
       MEANT_FOR("pebs.registers"));
DEFECT(pebs_df_clear, AFTER(pebs_capture, (sample->registers.rflags & BIT(10)), sample->registers.rflags &= ~BIT(10)),
       "DF is 0 in the record's RFLAGS", "class: flags as at the entry of a handler",
       ALSO_ON("nehalem", "panther-lake"), MEANT_FOR("pebs.registers"));
VARIATION(pebs_rf_set, AFTER(pebs_capture, true, sample->registers.rflags |= BIT(16)),
          "RF is set in the record's RFLAGS", "HSD168, SKL124; Haswell to Comet Lake");

DEFECT(pebs_xmm_zero,
       AFTER(pebs_capture, true,
             for (unsigned i = 0; i < ARRAY_SIZE(sample->registers.xmm); i++)
                 sample->registers.xmm[i][0] = sample->registers.xmm[i][1] = 0),
       "the XMM group is zeros", "class", ON("ice-lake"));

DEFECT(pebs_xmm_halves_swapped,
       AFTER(pebs_capture, true,
             for (unsigned i = 0; i < ARRAY_SIZE(sample->registers.xmm); i++)
                 swap(&sample->registers.xmm[i][0], &sample->registers.xmm[i][1])),
       "the halves of XMM registers are exchanged", "class", ON("ice-lake"));

/* ---- Other fields */

DEFECT(pebs_tsc_zero, AFTER(pebs_capture, true, sample->tsc = 0), "TSC is 0 in the record", "class");
VARIATION(pebs_status_field_zero, AFTER(pebs_capture, true, sample->status = 0),
          "IA32_PERF_GLOBAL_STATUS is 0 in the record", "Linux, formats 1 and 2", ON("haswell"));
DEFECT(pebs_status_neighbour,
       AFTER(pebs_capture, true,
             sample->status |= sample->counters & 1 ? sample->counters << 1 : sample->counters >> 1),
       "the status in the record also shows the next counter", "class", ON("haswell"));
DEFECT(pebs_applicable_neighbour, CHANGED(pebs_named, true, good << 1), "the record names the next counter", "class",
       ALSO_ON("ice-lake", "lunar-lake", "sapphire-rapids"));
DEFECT(pebs_applicable_zero, INSTEAD(pebs_named, true, 0), "the record names no counter",
       "the race of formats 1 and 2");

/* ---- Groups */

DEFECT(pebs_adaptive_ignored, CHANGED(pebs_adaptive, (m->p.perf_capabilities & PERF_CAP_PEBS_BASELINE), counters),
       "records have the groups of MSR_PEBS_DATA_CFG without the counter's ADAPTIVE bit", "class", ON("ice-lake"));
DEFECT(pebs_group_missing,
       CHANGED(pebs_groups, true, good &(good - 1) & MASK(3, 0) ? good & (good - 1) : good & ~MASK(3, 0)),
       "the first requested group is left out", "class", ON("ice-lake"));
DEFECT(pebs_lbr_one_short,
       CHANGED(pebs_groups, ((good & PEBS_DATA_LBR) && (good & MASK(31, 24))), good - FIELD(31, 24, 1)),
       "the LBR group has one entry less than requested", "class: the field is entries - 1", ON("ice-lake"));
DEFECT(pebs_groups_shown_wrong, BEFORE(pebs_first_word, groups, groups ^= PEBS_DATA_MEMINFO),
       "the record's own list of groups has MEMINFO inverted", "class", ON("ice-lake"));
DEFECT(pebs_size_wrong, BEFORE(pebs_first_word, true, size += 8), "the record's own size is 8 too big", "class",
       ON("ice-lake"));

/* The retire latency, on CPUs that have it: bits 47:32. */
static bool tells_time(const struct model *m)
{
    return m->p.perf_capabilities & PERF_CAP_PEBS_TIMING;
}

DEFECT(pebs_time_unannounced, CHANGED(pebs_first_word, !tells_time(m), good | FIELD(47, 32, 3)),
       "records have the retire latency although IA32_PERF_CAPABILITIES[17] is clear", "class", ON("ice-lake"),
       MEANT_FOR("pebs.timed"));
DEFECT(pebs_time_in_format, CHANGED(pebs_first_word, tells_time(m), good | BIT(31)),
       "the retire latency begins one bit too low, in the highest bit of the record's format", "class",
       ON("sapphire-rapids"), MEANT_FOR("pebs.timed"));
VARIATION(pebs_time_longest, CHANGED(pebs_first_word, tells_time(m), good | MASK(47, 32)),
          "the retire latency of each record is the highest value", "the time of an instruction is its own",
          ON("sapphire-rapids"));

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

STAND_IN(record_old_size_after_data_cfg, pebs_groups)
{
    struct regrouped *regrouped = memory(struct regrouped);
    bool old = regrouped->changed && strikes();
    regrouped->changed = false;
    return old ? regrouped->were : below(pebs_groups);
}
DEFECT(record_old_size_after_data_cfg,
       ALL(NOTES(stored_kept, true, regroup(memory(struct regrouped), which, was, value)), FUNCTIONS),
       "the first record after a change of MSR_PEBS_DATA_CFG has the groups from before",
       "Linux b752ea0c class; Sapphire Rapids", ON("ice-lake"));
DEFECT(data_cfg_stops_pebs,
       ALL(NOTES(stored_kept, true, regroup(memory(struct regrouped), which, was, value)),
           INSTEAD(pebs_arms, memory(struct regrouped)->changed, false),
           NOTES(pebs_groups, true, memory(struct regrouped)->changed = false)),
       "a change of MSR_PEBS_DATA_CFG ends the sampling until IA32_DS_AREA is written", "class", ON("ice-lake"));
