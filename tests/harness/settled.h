/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Counts at CPL 3 by counters for one ring. Around a change of ring such a counter may not count for a brief period
 * (BDM120, SKL117, KBL63, CML62), so its value is read at CPL 3 itself, by RDPMC, long after the change.
 */
#pragma once

#include "harness/test.h"

/*
 * With the counters in `list` on, which must be set up, runs `work` (struct workload.user_work, or code like it) at CPL
 * 3: first long enough for any brief period to be over, then k1 times, then k2 times. difference[i] is how much more
 * counter i counted for k2 than for k1: both include the cost of reading it. A fault of RDPMC ends the test as an
 * error. Interrupts are off.
 */
void count_settled(struct test *t, void (*work)(void), const struct counter *list, unsigned n, u64 k1, u64 k2,
                   u64 *difference);
