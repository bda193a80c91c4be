/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The two matrices that make a verdict meaningful, on the reference PMU: every defect is caught and every check can
 * fail (prove); no legal variation makes a test fail (prove-benign).
 */
#pragma once

#include "harness/mode/session.h"
#include "reference/mode/proof.h"
#include "reference/mode/runs.h"

struct prove_job {
    const struct profile *profile;
    u32 part, parts;  /* only every parts-th deviation, starting with the part-th */
    const char *only; /* of this part only deviations that match one of these globs */
    bool full;        /* log every run */
};

/* Does any deviation match the list of globs? */
bool prove_knows(const char *only);
/* Lists the defects of this part of the work, as indexes into deviations; list has room for all. Returns how many. */
unsigned prove_defects_of(const struct prove_job *job, int *list);
/* Both print one result line per deviation, and add the results to *totals. */
void prove_defects(struct session *session, const struct prove_job *job, struct totals *totals);
void prove_variations(struct session *session, const struct prove_job *job, struct totals *totals);
