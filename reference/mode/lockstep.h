/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random walks over the PMU, instead of the tests or after them: reference/lockstep makes them; this part decides
 * when, and writes the log. After the tests each CPU makes the same number, whatever the machine's load; on the
 * reference PMU they are the same each time.
 */
#pragma once

#include "harness/core/results.h"
#include "harness/mode/backend.h"
#include "reference/lockstep/oracle.h"

extern const struct backend_walks lockstep_walks;

/*
 * The difference that a random walk has found, as a failed check of the result `lockstep`: what is wrong decides its
 * label, so that the same fault has the same label whichever walk finds it. Labels are permanent, and in
 * tests/labels.txt. Pure.
 */

/* `outcome` and the aspects stay 0: the judge fills in the one, and no erratum is known by the other. */
struct check walk_check(const struct difference *difference, const struct pmu_caps *caps);
