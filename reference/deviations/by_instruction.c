/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of overflows that a certain kind of instruction causes. */
#define CHAPTERS "pmi.*"
#include "reference/deviations/stand_in.h"

#define SWALLOWED "class: an event at an instruction's end that its microcode swallows"

/* The kind of the instruction that is counted. */
struct causing {
    uint64_t kind;
};

STAND_IN(no_pmi_by_iret, counted)
{
    memory(struct causing)->kind = instruction->kind;
    return below(counted);
}

STAND_IN(no_pmi_by_iret, overflow_interrupts)
{
    if (memory(struct causing)->kind != RETIRED_IRET || !strikes())
        below(overflow_interrupts);
}
DEFECT(no_pmi_by_iret, FUNCTIONS, "an overflow by IRET raises no PMI", SWALLOWED);

STAND_IN(no_pmi_by_far_branch, counted)
{
    memory(struct causing)->kind = instruction->kind;
    return below(counted);
}

STAND_IN(no_pmi_by_far_branch, overflow_interrupts)
{
    if (memory(struct causing)->kind != RETIRED_FAR_BRANCH || !strikes())
        below(overflow_interrupts);
}
DEFECT(no_pmi_by_far_branch, FUNCTIONS, "an overflow by a far transfer raises no PMI", SWALLOWED);

STAND_IN(no_pmi_by_cpuid, counted)
{
    memory(struct causing)->kind = instruction->kind;
    return below(counted);
}

STAND_IN(no_pmi_by_cpuid, overflow_interrupts)
{
    if (memory(struct causing)->kind != RETIRED_CPUID || !strikes())
        below(overflow_interrupts);
}
DEFECT(no_pmi_by_cpuid, FUNCTIONS, "an overflow by CPUID raises no PMI", SWALLOWED);

STAND_IN(no_pmi_by_string, counted)
{
    memory(struct causing)->kind = instruction->kind;
    return below(counted);
}

STAND_IN(no_pmi_by_string, overflow_interrupts)
{
    if (memory(struct causing)->kind != RETIRED_REP_STRING || !strikes())
        below(overflow_interrupts);
}
DEFECT(no_pmi_by_string, FUNCTIONS, "an overflow by a REP string instruction raises no PMI", SWALLOWED);

STAND_IN(no_status_by_iret, counted)
{
    memory(struct causing)->kind = instruction->kind;
    return below(counted);
}

STAND_IN(no_status_by_iret, overflow_status)
{
    uint64_t good = below(overflow_status);
    return memory(struct causing)->kind == RETIRED_IRET && strikes() ? 0 : good;
}
DEFECT(no_status_by_iret, FUNCTIONS, "an overflow by IRET raises its PMI, and sets no bit", SWALLOWED);
