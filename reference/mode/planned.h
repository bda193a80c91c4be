/* SPDX-License-Identifier: BSD-2-Clause */
/* The runs that the options ask for, by which everything here goes. */
#pragma once

#include "reference/mode/runs.h"

/*
 * Plans them from reference= and defect=, after a profile that was handed to the image. A proof is for one profile, the
 * first one unless reference= names another. False with one line in error (RUN_ERROR_SIZE bytes).
 */
bool planned_fill(char *error);
const struct runs *planned(void);
/* Is a proof asked for, of whichever kind? */
bool planned_proof(void);
