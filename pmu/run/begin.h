/* The start of a run: nothing that an earlier one learnt of a PMU is known any more, and each CPU's is read anew. */
#pragma once

#include "kernel/interrupt/interrupt.h"

/* Reads the capabilities of each CPU, takes the hand-off's last looks and installs the PMI handlers. */
void pmu_begin(void);
/* How that ended on one CPU: an access that faults or never comes back ends it early, and what was not read is 0. */
const struct guard_result *pmu_begin_end(u32 cpu);
