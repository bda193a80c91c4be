/*
 * The two matrices that make a verdict worth something, on the reference PMU: every defect is caught and every check
 * can fail (prove); no legal variation makes a test fail (prove-benign).
 */
#pragma once

#include "harness/mode/proof.h"
#include "harness/mode/session.h"

struct prove_job {
    const struct profile *profile;
    u32 part, parts;  /* only every parts-th deviation, beginning with the part-th */
    const char *only; /* of the part only deviations that match a glob of this list */
    bool full;        /* log every run */
};

/* Does a deviation match the list of globs? */
bool prove_knows(const char *only);
/* The defects that this part of the work has, as indexes into deviations; list has room for all. Returns how many. */
unsigned prove_defects_of(const struct prove_job *job, int *list);
/* Both print one result line for each deviation, and add these results to *totals. */
void prove_defects(struct session *session, const struct prove_job *job, struct totals *totals);
void prove_variations(struct session *session, const struct prove_job *job, struct totals *totals);
