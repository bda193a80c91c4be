/*
 * Counts at CPL 3 of counters for one ring. Such a counter may not count for a brief period around a change of the ring
 * (BDM120, SKL117, KBL63, CML62), so what it counts is read at CPL 3 itself, by RDPMC, long after the change.
 */
#pragma once

#include "harness/test.h"

/*
 * With the counters of `list` on, which are set up already, `work` (struct workload.user_work, or written like it) is
 * done at CPL 3 often enough for any brief period to be over, then k1 times, then k2 times. difference[i] is how much
 * more counter i counted for k2 than for k1: what reading it costs is in both. A fault of RDPMC ends the test as an
 * error. Interrupts are off.
 */
void count_settled(struct test *t, void (*work)(void), const struct counter *list, unsigned n, u64 k1, u64 k2,
                   u64 *difference);
