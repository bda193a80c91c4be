/* SPDX-License-Identifier: BSD-2-Clause */
/* The start of a run: forgets what an earlier run learnt about the PMU, and reads each CPU's anew. */
#pragma once

#include "kernel/interrupt/interrupt.h"

/* Reads the capabilities of each CPU, completes the hand-off and installs the PMI handlers. tell: logs what it had to
 * do beside that. */
void pmu_begin(bool tell);
/* How that ended on one CPU: an access that faults or hangs ends it early, and what was not read is 0. */
const struct guard_result *pmu_begin_end(u32 cpu);
