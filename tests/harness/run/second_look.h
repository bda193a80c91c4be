/*
 * What failed where no bracket surrounds it is asked once more: what then holds was perhaps somebody else's doing,
 * microcode's or firmware's, and is a matter for a person to look at, not yet the hardware's failing. Pure.
 */
#pragma once

#include "harness/core/results.h"

/* Is there such a failure, in a test that one CPU can run by itself? */
bool second_look_wanted(const struct results *first, enum scope scope);
/* Marks the failed checks of the first run that the second one has made without failure. */
void second_look_compare(struct results *first, const struct results *second);
