/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A check that failed outside any bracket is made once more: if it then holds, the failure may have been caused by
 * others, such as microcode or firmware, so a person must look at it; it does not yet accuse the hardware. Pure.
 */
#pragma once

#include "harness/core/results.h"

/* Is there such a failure, in a test that a single CPU can run? */
bool second_look_wanted(const struct results *first, enum scope scope);
/* Marks the failed checks of the first run that held in the second. */
void second_look_compare(struct results *first, const struct results *second);
