/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of what only the chapter errata provokes: instructions and events that some CPUs count wrong. */
#define CHAPTERS "errata.*"
#include "reference/deviations/stand_in.h"

static bool is_far(const struct retired *in)
{
    return in->kind == RETIRED_FAR_BRANCH || in->kind == RETIRED_IRET;
}

/* ---- IRET */

static bool counts_iret(const struct retired *in, const struct counting *c)
{
    return c->event == EVENT_INSTRUCTIONS && in->kind == RETIRED_IRET;
}
DEFECT(iret_counted_twice, CHANGED(counted, counts_iret(instruction, c), good + 1), "IRET counts as two instructions",
       "BV52, BU52; Ivy Bridge", MIMICS(ERRATUM_ON("sandy-bridge", "BV52", 0x306a9, 0x21, 0, 0)));
DEFECT(iret_not_counted, CHANGED(counted, counts_iret(instruction, c), 0), "IRET does not count as an instruction",
       "class of BV52", NOT_BY(ERRATUM_ON("sandy-bridge", "BV52", 0x306a9, 0x21, 0, 0)),
       HIDDEN("nehalem", "AAJ107 names no instruction: counts may be as much too low by IRET alone"));

/* ---- Branches */

DEFECT(cpuid_is_a_branch, CHANGED(counted, c->event == EVENT_BRANCHES && instruction->kind == RETIRED_CPUID, 1),
       "CPUID counts as a branch on a newer CPU", "class of W146");

/* A call is counted once the next instruction is known: its address tells whether it was called. */
#define CALL_LENGTH 5
struct calls {
    uint64_t behind[64]; /* by counter: the address behind a call that is not counted yet */
};

STAND_IN(call_of_next_missed, counted)
{
    uint64_t *behind = &memory(struct calls)->behind[c->bit];
    n = below(counted);
    if (c->event != EVENT_BRANCHES)
        return n;
    bool late = *behind && (*behind != instruction->rip || !strikes());
    bool call = n && instruction->kind == RETIRED_BRANCH && instruction->branch == BRANCH_CALL;
    *behind = call ? instruction->rip + CALL_LENGTH : 0;
    return n + late - call;
}
DEFECT(call_of_next_missed, FUNCTIONS, "a call of the next instruction does not count as a branch",
       "RPL54; Raptor Lake", MIMICS(ERRATUM_ON("alder-lake", "RPL54", 0xb0671, 0x12b, 0, 0)));
DEFECT(calls_twice,
       CHANGED(counted,
               c->event == EVENT_BRANCHES && good && instruction->kind == RETIRED_BRANCH &&
                   instruction->branch == BRANCH_CALL,
               2),
       "a call counts as two branches", "class of RPL54",
       NOT_BY(ERRATUM_ON("alder-lake", "RPL54", 0xb0671, 0x12b, 0, 0)));
DEFECT(far_branches_twice, CHANGED(counted, c->event == EVENT_BRANCHES && good && is_far(instruction), 2),
       "a far transfer or IRET counts as two branches", "RPL55, MTL13, ARL11, SRF7",
       MIMICS(ERRATUM_ON("alder-lake", "RPL55", 0xb0671, 0x12b, 0, 0),
              ERRATUM_ON("goldmont-plus", "SRF7", 0xa06f3, 0x3000200, 0, 0),
              ERRATUM_ON("goldmont-plus", "far-branches", 0x506f1, 0x38, 0, 0)),
       HIDDEN("meteor-lake", "by MTL13, which is this erratum on a CPU whose kind of core no row can name"));
DEFECT(far_instructions_twice, CHANGED(counted, c->event == EVENT_INSTRUCTIONS && is_far(instruction), 2),
       "a far transfer or IRET counts as two instructions", "kvm-unit-tests, of five Atoms",
       MIMICS(ERRATUM_ON("goldmont-plus", "far-transfers", 0x506f1, 0x38, 0, 0)));
DEFECT(far_transfers_missed, CHANGED(counted, is_far(instruction), 0), "far transfers and IRET do not count",
       "class of RPL55",
       NOT_BY(ERRATUM_ON("alder-lake", "RPL55", 0xb0671, 0x12b, 0, 0),
              ERRATUM_ON("goldmont-plus", "far-transfers", 0x506f1, 0x38, 0, 0)));

/* ---- Strings */

DEFECT(strings_are_branches, CHANGED(counted, c->event == EVENT_BRANCHES && instruction->kind == RETIRED_REP_STRING, 1),
       "a REP string instruction counts as a branch", "SKL91", ON("haswell"),
       MIMICS(ERRATUM_ON("skylake", "SKL91", 0x506e3, 0xf0, 0, 0)));
DEFECT(strings_missed, CHANGED(counted, instruction->kind == RETIRED_REP_STRING, 0),
       "a REP string instruction does not count", "class of SKL91",
       NOT_BY(ERRATUM_ON("skylake", "SKL91", 0x506e3, 0xf0, 0, 0)),
       HIDDEN("nehalem", "AAJ107 names no instruction: counts may be as much too low by strings alone"));

/* ---- Events of one generation */

static bool second_thread(const struct model *m)
{
    return m->p.threads > 1 && m->cpu % 2;
}

DEFECT(far_kind_missed_on_lp1, CHANGED(counted, c->event == EVENT_FAR_BRANCH && good && second_thread(m), 0),
       "the second thread of a core does not count far branches by their own event", "BDD101, BDW98; Broadwell",
       PREPARED(deviation_with_threads),
       MIMICS(ERRATUM("BDD101", 0x40671, 0x22, 0, 2), ERRATUM("BDW98", 0x306d4, 0x2f, 0, 2)));
DEFECT(far_kind_twice, CHANGED(counted, c->event == EVENT_FAR_BRANCH && good, 2),
       "the event of far branches counts each twice", "BDD101, BDW98; Broadwell",
       MIMICS(ERRATUM("BDW98", 0x306d4, 0x2f, 0, 2)), NOT_BY(ERRATUM_ON("broadwell", "BDD101", 0x40671, 0x22, 0, 1)));

static bool near_kind(const struct counting *c)
{
    return c->event == EVENT_NOT_TAKEN || c->event == EVENT_NEAR_TAKEN;
}
DEFECT(near_kinds_twice, CHANGED(counted, near_kind(c), 2 * good),
       "the events of branches taken and not taken count each twice", "BJ90; Sandy Bridge",
       MIMICS(ERRATUM_ON("sandy-bridge", "BJ90", 0x206a7, 0x2f, 0, 0)));
DEFECT(near_kinds_missed, CHANGED(counted, near_kind(c), 0), "the events of branches taken and not taken count nothing",
       "class of BJ90", NOT_BY(ERRATUM_ON("sandy-bridge", "BJ90", 0x206a7, 0x2f, 0, 0)));

/* An event that never happens in the model counts something else. */
#define EVENT_CODE(evtsel) ((evtsel)&0xff)
#define SIMD_CODE 0xc7
#define MISALIGNED_CODE 0x05

DEFECT(simd_counts_all,
       CHANGED(selected_event, EVENT_CODE(evtsel) == SIMD_CODE && good == EVENT_NONE, EVENT_INSTRUCTIONS),
       "event C7H counts all instructions", "AAJ8, BJ37, BV4",
       MIMICS(ERRATUM_ON("nehalem", "AAJ8", 0x106a5, 0x1d, 0, 0), ERRATUM_ON("nehalem", "AAT4", 0x20655, 0x7, 0, 0),
              ERRATUM_ON("sandy-bridge", "BJ37", 0x206a7, 0x2f, 0, 0),
              ERRATUM_ON("sandy-bridge", "BV4", 0x306a9, 0x21, 0, 0)));
DEFECT(misaligned_counts_all,
       CHANGED(selected_event, EVENT_CODE(evtsel) == MISALIGNED_CODE && good == EVENT_NONE, EVENT_INSTRUCTIONS),
       "event 05H counts all instructions", "AAJ57; Nehalem", ON("haswell"),
       MIMICS(ERRATUM_ON("nehalem", "AAJ57", 0x106a5, 0x1d, 0, 0)),
       NOT_BY(ERRATUM_ON("nehalem", "AAT4", 0x20655, 0x7, 0, 0)));

/* Uops are counted by nothing else here. */
#define FAR_TOO_MANY 100
DEFECT(misaligned_counts_far_too_many,
       ALL(MAKES(selected_event, EVENT_CODE(evtsel) == MISALIGNED_CODE && good == EVENT_NONE ? EVENT_UOPS : good),
           CHANGED(counted, c->event == EVENT_UOPS, FAR_TOO_MANY *good)),
       "event 05H counts each instruction 100 times", "class of AAJ57", ON("haswell"),
       NOT_BY(ERRATUM_ON("nehalem", "AAJ57", 0x106a5, 0x1d, 0, 0)));

#define SELECT(evtsel) ((evtsel)&0xffff)
#define STORES 0x020b
#define EPT_MISSES 0x084f
#define PREFETCH_HITS 0x014c

DEFECT(stores_count_all, CHANGED(selected_event, SELECT(evtsel) == STORES, EVENT_INSTRUCTIONS),
       "event 0BH/02H counts all instructions", "AAJ86; Nehalem, Westmere", ONLY_THERE,
       MIMICS(ERRATUM_ON("nehalem", "AAJ86", 0x106a5, 0x1d, 0, 0), ERRATUM_ON("nehalem", "AAT38", 0x20655, 0x7, 0, 0)));
DEFECT(ept_misses_count_all, CHANGED(selected_event, SELECT(evtsel) == EPT_MISSES, EVENT_INSTRUCTIONS),
       "event 4FH/08H counts all instructions", "AAJ90; Nehalem, Westmere", ONLY_THERE,
       MIMICS(ERRATUM_ON("nehalem", "AAJ90", 0x106a5, 0x1d, 0, 0), ERRATUM_ON("nehalem", "AAT41", 0x20655, 0x7, 0, 0)));
DEFECT(prefetch_hits_count_all, CHANGED(selected_event, SELECT(evtsel) == PREFETCH_HITS, EVENT_INSTRUCTIONS),
       "event 4CH/01H counts all instructions", "AAJ147, BJ70; Nehalem to Sandy Bridge", ONLY_THERE,
       MIMICS(ERRATUM_ON("nehalem", "AAJ147", 0x106a5, 0x1d, 0, 0), ERRATUM_ON("nehalem", "AAT111", 0x20655, 0x7, 0, 0),
              ERRATUM_ON("sandy-bridge", "BJ70", 0x206a7, 0x2f, 0, 0)));

static bool is_absent(uint64_t evtsel)
{
    return SELECT(evtsel) == STORES || SELECT(evtsel) == EPT_MISSES || SELECT(evtsel) == PREFETCH_HITS;
}
DEFECT(absent_counts_far_too_many,
       ALL(MAKES(selected_event, is_absent(evtsel) ? EVENT_UOPS : good),
           CHANGED(counted, c->event == EVENT_UOPS, FAR_TOO_MANY *good)),
       "events 0BH/02H, 4FH/08H and 4CH/01H count each instruction 100 times", "class of AAJ86, AAJ90, AAJ147",
       ON("nehalem"),
       NOT_BY(ERRATUM_ON("nehalem", "AAJ86", 0x106a5, 0x1d, 0, 0), ERRATUM_ON("nehalem", "AAT41", 0x20655, 0x7, 0, 0),
              ERRATUM_ON("sandy-bridge", "BJ70", 0x206a7, 0x2f, 0, 0)));

/* ---- Qualifiers */

DEFECT(cmask_counts_other_cpl, CHANGED(ring_counts, !good && c->threshold && !c->invert && c->rings, true),
       "CMASK without INV for one ring counts in the other too", "class of HSD73",
       NOT_BY(ERRATUM("HSD73", 0x306c3, 0x28, 0, 0)));

static bool any_instructions(const struct counting *c)
{
    return c->event == EVENT_INSTRUCTIONS && c->any;
}
DEFECT(any_thread_counts_half,
       CHANGED(counted, any_instructions(c) && c->rings == (RING_OS | RING_USR) && m->events.retired % 2, 0),
       "AnyThread misses every second instruction", "BJ91; Sandy Bridge with hyper-threading",
       PREPARED(deviation_with_threads), MIMICS(ERRATUM_ON("sandy-bridge", "BJ91", 0x206a7, 0x2f, 0, 2)),
       NOT_BY(ERRATUM("BDD59", 0x40671, 0x22, 0, 0)));
DEFECT(any_in_ring_counts_half,
       CHANGED(counted, any_instructions(c) && c->rings != (RING_OS | RING_USR) && m->events.retired % 2, 0),
       "AnyThread for one ring misses every second instruction", "BDD59, BDM62; Broadwell",
       MIMICS(ERRATUM("BDD59", 0x40671, 0x22, 0, 0), ERRATUM("BDM62", 0x306d4, 0x2f, 0, 0)),
       NOT_BY(ERRATUM_ON("sandy-bridge", "BJ91", 0x206a7, 0x2f, 0, 2)));

/* ---- A write */

#define NEAR_THE_END 0x3f
static bool near_its_end(const struct model *m, unsigned i, uint64_t value)
{
    uint64_t mask = width_mask(m->p.fixed_width), control = m->controls.stored[STORED_FIXED_CTR_CTRL];
    return i == FIXED_REF_CYCLES && (value & mask) > mask - NEAR_THE_END && (control & FIXED_PMI(FIXED_REF_CYCLES));
}

DEFECT(close_write_raises_pmi, AFTER(fixed_write, near_its_end(m, i, value) && good, rule(m, pmi_raise)(m)),
       "a value within 63 of its end, written to fixed counter 2 with its interrupt bit set, raises a PMI",
       "BJ77, BV35; Sandy Bridge, Ivy Bridge",
       MIMICS(ERRATUM_ON("sandy-bridge", "BJ77", 0x206a7, 0x2f, 0, 0),
              ERRATUM_ON("sandy-bridge", "BV35", 0x306a9, 0x21, 0, 0)));
DEFECT(close_write_overflows,
       AFTER(fixed_write, near_its_end(m, i, value) && good, m->status.bits |= STATUS_FIXED(FIXED_REF_CYCLES)),
       "a value within 63 of its end, written to fixed counter 2 with its interrupt bit set, sets its overflow bit",
       "class of BJ77", NOT_BY(ERRATUM_ON("sandy-bridge", "BJ77", 0x206a7, 0x2f, 0, 0)));
