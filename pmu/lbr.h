/*
 * Last-branch records, as far as freezing needs them: the same, or have they moved? Only read, and only the records of
 * CPUs with version 4 and a record format of their own (architectural ones are elsewhere). SDM 3B, "Last Branch, Call
 * Stack, Interrupt, and Exception Recording".
 */
#pragma once

#include "pmu/caps.h"

#define LBR_COMPARED 4 /* records */

struct branch_records {
    u64 top;                                  /* MSR_LBR_TOS */
    u64 from[LBR_COMPARED], to[LBR_COMPARED]; /* those after the newest one, which errata may spoil (SKL186, BJ94) */
};

/* Has this CPU 32 records from MSR_LBR_FROM(0) on? Asks MSR_LBR_TOS. */
bool lbr_readable(const struct pmu_caps *caps);
/* Only where lbr_readable(). */
void lbr_read(struct branch_records *records);
bool lbr_same(const struct branch_records *a, const struct branch_records *b);
