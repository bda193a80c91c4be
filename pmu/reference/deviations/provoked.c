/* Deviations of what only the chapter errata provokes: instructions and events that some CPUs count wrong. */
#define CHAPTERS "errata.*"
#include "pmu/reference/deviations/stand_in.h"

static bool is_far(const struct retired *in)
{
    return in->kind == RETIRED_FAR_BRANCH || in->kind == RETIRED_IRET;
}

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
       NOT_BY(ERRATUM_ON("skylake", "SKL91", 0x506e3, 0xf0, 0, 0)), STANDS_IN(FOR(counted, strings_missed)));
