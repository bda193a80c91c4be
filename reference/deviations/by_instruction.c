/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of overflows that a certain kind of instruction causes. */
#define CHAPTERS "pmi.*"
#include "reference/deviations/stand_in.h"

#define SWALLOWED "class: an event at an instruction's end that its microcode swallows"

/* The kind of the instruction that is counted. */
#define CAUSE NOTES(counted, true, noted = instruction->kind)

DEFECT(no_pmi_by_iret, ALL(CAUSE, LOST(overflow_interrupts, noted == RETIRED_IRET)),
       "an overflow by IRET raises no PMI", SWALLOWED);
DEFECT(no_pmi_by_far_branch, ALL(CAUSE, LOST(overflow_interrupts, noted == RETIRED_FAR_BRANCH)),
       "an overflow by a far transfer raises no PMI", SWALLOWED);
DEFECT(no_pmi_by_cpuid, ALL(CAUSE, LOST(overflow_interrupts, noted == RETIRED_CPUID)),
       "an overflow by CPUID raises no PMI", SWALLOWED);
DEFECT(no_pmi_by_string, ALL(CAUSE, LOST(overflow_interrupts, noted == RETIRED_REP_STRING)),
       "an overflow by a REP string instruction raises no PMI", SWALLOWED);
DEFECT(no_status_by_iret, ALL(CAUSE, CHANGED(overflow_status, noted == RETIRED_IRET, 0)),
       "an overflow by IRET raises its PMI, and sets no bit", SWALLOWED);
