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
CHANGED(counted, iret_again, IRET_COUNTED_TWICE,
        counts_iret(instruction, c) && strikes(m, IRET_COUNTED_TWICE) ? good + 1 : good);
DEFECT(IRET_COUNTED_TWICE, "iret-counted-twice", "IRET counts as two instructions", "BV52, BU52; Ivy Bridge",
       MIMICS(ERRATUM_ON("sandy-bridge", "BV52", 0x306a9, 0x21, 0, 0)), STANDS_IN(FOR(counted, iret_again)));

CHANGED(counted, iret_missed, IRET_NOT_COUNTED, counts_iret(instruction, c) && strikes(m, IRET_NOT_COUNTED) ? 0 : good);
DEFECT(IRET_NOT_COUNTED, "iret-not-counted", "IRET does not count as an instruction", "class of BV52",
       NOT_BY(ERRATUM_ON("sandy-bridge", "BV52", 0x306a9, 0x21, 0, 0)),
       HIDDEN("nehalem", "AAJ107 names no instruction: counts may be as much too low by IRET alone"),
       STANDS_IN(FOR(counted, iret_missed)));

/* ---- Branches */

CHANGED(counted, cpuid_counts, CPUID_IS_A_BRANCH,
        c->event == EVENT_BRANCHES && instruction->kind == RETIRED_CPUID && strikes(m, CPUID_IS_A_BRANCH) ? 1 : good);
DEFECT(CPUID_IS_A_BRANCH, "cpuid-is-a-branch", "CPUID counts as a branch on a newer CPU", "class of W146",
       STANDS_IN(FOR(counted, cpuid_counts)));

/* A call is counted once the next instruction is known: its address tells whether it was called. */
#define CALL_LENGTH 5
struct calls {
    uint64_t behind[64]; /* by counter: the address behind a call that is not counted yet */
};

static uint32_t short_call_missed(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    uint64_t *behind = &memory(m, CALL_OF_NEXT_MISSED, struct calls)->behind[c->bit];
    n = replaced(m, CALL_OF_NEXT_MISSED, counted)(m, in, c, n);
    if (c->event != EVENT_BRANCHES)
        return n;
    bool late = *behind && (*behind != in->rip || !strikes(m, CALL_OF_NEXT_MISSED));
    bool call = n && in->kind == RETIRED_BRANCH && in->branch == BRANCH_CALL;
    *behind = call ? in->rip + CALL_LENGTH : 0;
    return n + late - call;
}
DEFECT(CALL_OF_NEXT_MISSED, "call-of-next-missed", "a call of the next instruction does not count as a branch",
       "RPL54; Raptor Lake", MIMICS(ERRATUM_ON("alder-lake", "RPL54", 0xb0671, 0x12b, 0, 0)),
       STANDS_IN(FOR(counted, short_call_missed)));

CHANGED(counted, calls_twice, CALLS_TWICE,
        c->event == EVENT_BRANCHES && good && instruction->kind == RETIRED_BRANCH &&
                instruction->branch == BRANCH_CALL && strikes(m, CALLS_TWICE)
            ? 2
            : good);
DEFECT(CALLS_TWICE, "calls-twice", "a call counts as two branches", "class of RPL54",
       NOT_BY(ERRATUM_ON("alder-lake", "RPL54", 0xb0671, 0x12b, 0, 0)), STANDS_IN(FOR(counted, calls_twice)));

CHANGED(counted, far_branches_twice, FAR_BRANCHES_TWICE,
        c->event == EVENT_BRANCHES && good && is_far(instruction) && strikes(m, FAR_BRANCHES_TWICE) ? 2 : good);
DEFECT(FAR_BRANCHES_TWICE, "far-branches-twice", "a far transfer or IRET counts as two branches",
       "RPL55, MTL13, ARL11, SRF7",
       MIMICS(ERRATUM_ON("alder-lake", "RPL55", 0xb0671, 0x12b, 0, 0),
              ERRATUM_ON("goldmont-plus", "SRF7", 0xa06f3, 0x3000200, 0, 0),
              ERRATUM_ON("goldmont-plus", "far-branches", 0x506f1, 0x38, 0, 0)),
       HIDDEN("meteor-lake", "by MTL13, which is this erratum on a CPU whose kind of core no row can name"),
       STANDS_IN(FOR(counted, far_branches_twice)));

CHANGED(counted, far_instructions_twice, FAR_INSTRUCTIONS_TWICE,
        c->event == EVENT_INSTRUCTIONS && is_far(instruction) && strikes(m, FAR_INSTRUCTIONS_TWICE) ? 2 : good);
DEFECT(FAR_INSTRUCTIONS_TWICE, "far-instructions-twice", "a far transfer or IRET counts as two instructions",
       "kvm-unit-tests, of five Atoms", MIMICS(ERRATUM_ON("goldmont-plus", "far-transfers", 0x506f1, 0x38, 0, 0)),
       STANDS_IN(FOR(counted, far_instructions_twice)));

CHANGED(counted, far_missed, FAR_TRANSFERS_MISSED, is_far(instruction) && strikes(m, FAR_TRANSFERS_MISSED) ? 0 : good);
DEFECT(FAR_TRANSFERS_MISSED, "far-transfers-missed", "far transfers and IRET do not count", "class of RPL55",
       NOT_BY(ERRATUM_ON("alder-lake", "RPL55", 0xb0671, 0x12b, 0, 0),
              ERRATUM_ON("goldmont-plus", "far-transfers", 0x506f1, 0x38, 0, 0)),
       STANDS_IN(FOR(counted, far_missed)));

/* ---- Strings */

CHANGED(counted, string_branches, STRINGS_ARE_BRANCHES,
        c->event == EVENT_BRANCHES && instruction->kind == RETIRED_REP_STRING && strikes(m, STRINGS_ARE_BRANCHES)
            ? 1
            : good);
DEFECT(STRINGS_ARE_BRANCHES, "strings-are-branches", "a REP string instruction counts as a branch", "SKL91",
       ON("haswell"), MIMICS(ERRATUM_ON("skylake", "SKL91", 0x506e3, 0xf0, 0, 0)),
       STANDS_IN(FOR(counted, string_branches)));

CHANGED(counted, strings_missed, STRINGS_MISSED,
        instruction->kind == RETIRED_REP_STRING && strikes(m, STRINGS_MISSED) ? 0 : good);
DEFECT(STRINGS_MISSED, "strings-missed", "a REP string instruction does not count", "class of SKL91",
       NOT_BY(ERRATUM_ON("skylake", "SKL91", 0x506e3, 0xf0, 0, 0)),
       HIDDEN("nehalem", "AAJ107 names no instruction: counts may be as much too low by strings alone"),
       STANDS_IN(FOR(counted, strings_missed)));

/* ---- Events of one generation */

static bool second_thread(const struct model *m)
{
    return m->p.threads > 1 && m->cpu % 2;
}

CHANGED(counted, far_kind_missed, FAR_KIND_MISSED_ON_LP1,
        c->event == EVENT_FAR_BRANCH && good && second_thread(m) && strikes(m, FAR_KIND_MISSED_ON_LP1) ? 0 : good);
DEFECT(FAR_KIND_MISSED_ON_LP1, "far-kind-missed-on-lp1",
       "the second thread of a core does not count far branches by their own event", "BDD101, BDW98; Broadwell",
       DATA(deviation_with_threads),
       MIMICS(ERRATUM("BDD101", 0x40671, 0x22, 0, 2), ERRATUM("BDW98", 0x306d4, 0x2f, 0, 2)),
       STANDS_IN(FOR(counted, far_kind_missed)));

CHANGED(counted, far_kind_twice, FAR_KIND_TWICE,
        c->event == EVENT_FAR_BRANCH && good && strikes(m, FAR_KIND_TWICE) ? 2 : good);
DEFECT(FAR_KIND_TWICE, "far-kind-twice", "the event of far branches counts each twice", "BDD101, BDW98; Broadwell",
       MIMICS(ERRATUM("BDW98", 0x306d4, 0x2f, 0, 2)), NOT_BY(ERRATUM_ON("broadwell", "BDD101", 0x40671, 0x22, 0, 1)),
       STANDS_IN(FOR(counted, far_kind_twice)));

static bool near_kind(const struct counting *c)
{
    return c->event == EVENT_NOT_TAKEN || c->event == EVENT_NEAR_TAKEN;
}
CHANGED(counted, near_kinds_twice, NEAR_KINDS_TWICE, near_kind(c) && strikes(m, NEAR_KINDS_TWICE) ? 2 * good : good);
DEFECT(NEAR_KINDS_TWICE, "near-kinds-twice", "the events of branches taken and not taken count each twice",
       "BJ90; Sandy Bridge", MIMICS(ERRATUM_ON("sandy-bridge", "BJ90", 0x206a7, 0x2f, 0, 0)),
       STANDS_IN(FOR(counted, near_kinds_twice)));

CHANGED(counted, near_kinds_missed, NEAR_KINDS_MISSED, near_kind(c) && strikes(m, NEAR_KINDS_MISSED) ? 0 : good);
DEFECT(NEAR_KINDS_MISSED, "near-kinds-missed", "the events of branches taken and not taken count nothing",
       "class of BJ90", NOT_BY(ERRATUM_ON("sandy-bridge", "BJ90", 0x206a7, 0x2f, 0, 0)),
       STANDS_IN(FOR(counted, near_kinds_missed)));

/* An event that never happens in the model counts something else. */
#define EVENT_CODE(evtsel) ((evtsel)&0xff)
#define SIMD_CODE 0xc7
#define MISALIGNED_CODE 0x05

CHANGED(selected_event, simd_counts_all, SIMD_COUNTS_ALL,
        EVENT_CODE(evtsel) == SIMD_CODE && good == EVENT_NONE && strikes(m, SIMD_COUNTS_ALL) ? EVENT_INSTRUCTIONS
                                                                                             : good);
DEFECT(SIMD_COUNTS_ALL, "simd-counts-all", "event C7H counts all instructions", "AAJ8, BJ37, BV4",
       MIMICS(ERRATUM_ON("nehalem", "AAJ8", 0x106a5, 0x1d, 0, 0), ERRATUM_ON("nehalem", "AAT4", 0x20655, 0x7, 0, 0),
              ERRATUM_ON("sandy-bridge", "BJ37", 0x206a7, 0x2f, 0, 0),
              ERRATUM_ON("sandy-bridge", "BV4", 0x306a9, 0x21, 0, 0)),
       STANDS_IN(FOR(selected_event, simd_counts_all)));

CHANGED(selected_event, misaligned_counts_all, MISALIGNED_COUNTS_ALL,
        EVENT_CODE(evtsel) == MISALIGNED_CODE && good == EVENT_NONE && strikes(m, MISALIGNED_COUNTS_ALL)
            ? EVENT_INSTRUCTIONS
            : good);
DEFECT(MISALIGNED_COUNTS_ALL, "misaligned-counts-all", "event 05H counts all instructions", "AAJ57; Nehalem",
       ON("haswell"), MIMICS(ERRATUM_ON("nehalem", "AAJ57", 0x106a5, 0x1d, 0, 0)),
       NOT_BY(ERRATUM_ON("nehalem", "AAT4", 0x20655, 0x7, 0, 0)),
       STANDS_IN(FOR(selected_event, misaligned_counts_all)));

/* Uops are counted by nothing else here. */
#define FAR_TOO_MANY 100
CHANGED(selected_event, misaligned_selects_uops, MISALIGNED_COUNTS_FAR_TOO_MANY,
        EVENT_CODE(evtsel) == MISALIGNED_CODE && good == EVENT_NONE ? EVENT_UOPS : good);
CHANGED(counted, uops_far_too_many, MISALIGNED_COUNTS_FAR_TOO_MANY,
        c->event == EVENT_UOPS && strikes(m, MISALIGNED_COUNTS_FAR_TOO_MANY) ? FAR_TOO_MANY * good : good);
DEFECT(MISALIGNED_COUNTS_FAR_TOO_MANY, "misaligned-counts-far-too-many", "event 05H counts each instruction 100 times",
       "class of AAJ57", ON("haswell"), NOT_BY(ERRATUM_ON("nehalem", "AAJ57", 0x106a5, 0x1d, 0, 0)),
       STANDS_IN(FOR(selected_event, misaligned_selects_uops), FOR(counted, uops_far_too_many)));

#define SELECT(evtsel) ((evtsel)&0xffff)
#define STORES 0x020b
#define EPT_MISSES 0x084f
#define PREFETCH_HITS 0x014c

CHANGED(selected_event, stores_count_all, STORES_COUNT_ALL,
        SELECT(evtsel) == STORES && strikes(m, STORES_COUNT_ALL) ? EVENT_INSTRUCTIONS : good);
DEFECT(STORES_COUNT_ALL, "stores-count-all", "event 0BH/02H counts all instructions", "AAJ86; Nehalem, Westmere",
       ONLY_THERE,
       MIMICS(ERRATUM_ON("nehalem", "AAJ86", 0x106a5, 0x1d, 0, 0), ERRATUM_ON("nehalem", "AAT38", 0x20655, 0x7, 0, 0)),
       STANDS_IN(FOR(selected_event, stores_count_all)));

CHANGED(selected_event, ept_counts_all, EPT_MISSES_COUNT_ALL,
        SELECT(evtsel) == EPT_MISSES && strikes(m, EPT_MISSES_COUNT_ALL) ? EVENT_INSTRUCTIONS : good);
DEFECT(EPT_MISSES_COUNT_ALL, "ept-misses-count-all", "event 4FH/08H counts all instructions",
       "AAJ90; Nehalem, Westmere", ONLY_THERE,
       MIMICS(ERRATUM_ON("nehalem", "AAJ90", 0x106a5, 0x1d, 0, 0), ERRATUM_ON("nehalem", "AAT41", 0x20655, 0x7, 0, 0)),
       STANDS_IN(FOR(selected_event, ept_counts_all)));

CHANGED(selected_event, prefetch_counts_all, PREFETCH_HITS_COUNT_ALL,
        SELECT(evtsel) == PREFETCH_HITS && strikes(m, PREFETCH_HITS_COUNT_ALL) ? EVENT_INSTRUCTIONS : good);
DEFECT(PREFETCH_HITS_COUNT_ALL, "prefetch-hits-count-all", "event 4CH/01H counts all instructions",
       "AAJ147, BJ70; Nehalem to Sandy Bridge", ONLY_THERE,
       MIMICS(ERRATUM_ON("nehalem", "AAJ147", 0x106a5, 0x1d, 0, 0), ERRATUM_ON("nehalem", "AAT111", 0x20655, 0x7, 0, 0),
              ERRATUM_ON("sandy-bridge", "BJ70", 0x206a7, 0x2f, 0, 0)),
       STANDS_IN(FOR(selected_event, prefetch_counts_all)));

static bool is_absent(uint64_t evtsel)
{
    return SELECT(evtsel) == STORES || SELECT(evtsel) == EPT_MISSES || SELECT(evtsel) == PREFETCH_HITS;
}
CHANGED(selected_event, absent_selects_uops, ABSENT_COUNTS_FAR_TOO_MANY, is_absent(evtsel) ? EVENT_UOPS : good);
CHANGED(counted, absent_far_too_many, ABSENT_COUNTS_FAR_TOO_MANY,
        c->event == EVENT_UOPS && strikes(m, ABSENT_COUNTS_FAR_TOO_MANY) ? FAR_TOO_MANY * good : good);
DEFECT(ABSENT_COUNTS_FAR_TOO_MANY, "absent-counts-far-too-many",
       "events 0BH/02H, 4FH/08H and 4CH/01H count each instruction 100 times", "class of AAJ86, AAJ90, AAJ147",
       ON("nehalem"),
       NOT_BY(ERRATUM_ON("nehalem", "AAJ86", 0x106a5, 0x1d, 0, 0), ERRATUM_ON("nehalem", "AAT41", 0x20655, 0x7, 0, 0),
              ERRATUM_ON("sandy-bridge", "BJ70", 0x206a7, 0x2f, 0, 0)),
       STANDS_IN(FOR(selected_event, absent_selects_uops), FOR(counted, absent_far_too_many)));

/* ---- Qualifiers */

INSTEAD(ring_counts, masked_in_both,
        below(CMASK_COUNTS_OTHER_CPL, ring_counts) ||
            (c->threshold && !c->invert && c->rings && strikes(m, CMASK_COUNTS_OTHER_CPL)));
DEFECT(CMASK_COUNTS_OTHER_CPL, "cmask-counts-other-cpl", "CMASK without INV for one ring counts in the other too",
       "class of HSD73", NOT_BY(ERRATUM("HSD73", 0x306c3, 0x28, 0, 0)), STANDS_IN(FOR(ring_counts, masked_in_both)));

static bool any_instructions(const struct counting *c)
{
    return c->event == EVENT_INSTRUCTIONS && c->any;
}
CHANGED(counted, any_thread_misses, ANY_THREAD_COUNTS_HALF,
        any_instructions(c) && c->rings == (RING_OS | RING_USR) && m->events.retired % 2 &&
                strikes(m, ANY_THREAD_COUNTS_HALF)
            ? 0
            : good);
DEFECT(ANY_THREAD_COUNTS_HALF, "any-thread-counts-half", "AnyThread misses every second instruction",
       "BJ91; Sandy Bridge with hyper-threading", DATA(deviation_with_threads),
       MIMICS(ERRATUM_ON("sandy-bridge", "BJ91", 0x206a7, 0x2f, 0, 2)), NOT_BY(ERRATUM("BDD59", 0x40671, 0x22, 0, 0)),
       STANDS_IN(FOR(counted, any_thread_misses)));

CHANGED(counted, any_in_ring_misses, ANY_IN_RING_COUNTS_HALF,
        any_instructions(c) && c->rings != (RING_OS | RING_USR) && m->events.retired % 2 &&
                strikes(m, ANY_IN_RING_COUNTS_HALF)
            ? 0
            : good);
DEFECT(ANY_IN_RING_COUNTS_HALF, "any-in-ring-counts-half", "AnyThread for one ring misses every second instruction",
       "BDD59, BDM62; Broadwell", MIMICS(ERRATUM("BDD59", 0x40671, 0x22, 0, 0), ERRATUM("BDM62", 0x306d4, 0x2f, 0, 0)),
       NOT_BY(ERRATUM_ON("sandy-bridge", "BJ91", 0x206a7, 0x2f, 0, 2)), STANDS_IN(FOR(counted, any_in_ring_misses)));

/* ---- A write */

#define NEAR_THE_END 0x3f
static bool near_its_end(const struct model *m, unsigned i, uint64_t value)
{
    uint64_t mask = width_mask(m->p.fixed_width), control = m->controls.stored[STORED_FIXED_CTR_CTRL];
    return i == FIXED_REF_CYCLES && (value & mask) > mask - NEAR_THE_END && (control & FIXED_PMI(FIXED_REF_CYCLES));
}

static bool write_raises(struct model *m, unsigned i, uint64_t value)
{
    if (!replaced(m, CLOSE_WRITE_RAISES_PMI, fixed_write)(m, i, value))
        return false;
    if (near_its_end(m, i, value) && strikes(m, CLOSE_WRITE_RAISES_PMI))
        rule(m, pmi_raise)(m);
    return true;
}
DEFECT(CLOSE_WRITE_RAISES_PMI, "close-write-raises-pmi",
       "a value within 63 of its end, written to fixed counter 2 with its interrupt bit set, raises a PMI",
       "BJ77, BV35; Sandy Bridge, Ivy Bridge",
       MIMICS(ERRATUM_ON("sandy-bridge", "BJ77", 0x206a7, 0x2f, 0, 0),
              ERRATUM_ON("sandy-bridge", "BV35", 0x306a9, 0x21, 0, 0)),
       STANDS_IN(FOR(fixed_write, write_raises)));

static bool write_overflows(struct model *m, unsigned i, uint64_t value)
{
    if (!replaced(m, CLOSE_WRITE_OVERFLOWS, fixed_write)(m, i, value))
        return false;
    if (near_its_end(m, i, value) && strikes(m, CLOSE_WRITE_OVERFLOWS))
        m->status.bits |= STATUS_FIXED(FIXED_REF_CYCLES);
    return true;
}
DEFECT(CLOSE_WRITE_OVERFLOWS, "close-write-overflows",
       "a value within 63 of its end, written to fixed counter 2 with its interrupt bit set, sets its overflow bit",
       "class of BJ77", NOT_BY(ERRATUM_ON("sandy-bridge", "BJ77", 0x206a7, 0x2f, 0, 0)),
       STANDS_IN(FOR(fixed_write, write_overflows)));
