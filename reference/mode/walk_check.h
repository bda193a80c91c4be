/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The difference that a random walk has found, as a failed check of the result `lockstep`: what is wrong decides its
 * label, so that the same fault has the same label whichever walk finds it. Labels are permanent, and in
 * tests/labels.txt. Pure.
 */
#pragma once

#include "harness/core/results.h"
#include "reference/lockstep/oracle.h"

/* `outcome` and the aspects stay 0: the judge fills in the one, and no erratum is known by the other. */
struct check walk_check(const struct difference *difference, const struct pmu_caps *caps);
