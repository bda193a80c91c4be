/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Warm resets in a row by each way that the machine has: what each of them hands over, compared with the first start
 * (option resets=N). A start that finds nothing left in memory, as after power-on, makes no reset: if a machine
 * preserved no memory, the resets would have no end.
 */
#pragma once

#include "boot/bits.h"

/* Is a series asked for? */
bool resets_asked(void);
/*
 * Compares this start's hand-off, and resets the machine if the series is not over; else returns, after logging all of
 * it. Call it before anything is written to the PMU.
 */
void resets_make(void);
