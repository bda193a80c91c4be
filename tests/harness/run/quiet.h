/* The state in which every test finds the PMU of the calling CPU. */
#pragma once

#include "pmu/cpu/caps.h"

/*
 * Nothing counts, nothing is programmed, no PMI is on its way: what every test finds. A register that does not answer
 * is a test's affair, so nothing here may fault.
 */
void pmu_quiet(const struct pmu_caps *caps);
/*
 * Before the first test: a kernel that was here before may have left it that PMIs freeze counters and branch records,
 * or SMM the counters, at the end of which RSM sets every enable of IA32_PERF_GLOBAL_CTRL. Tests ask for these
 * themselves. Given back at the end as all else. SDM 3B, "Freezing Performance Counters on PMI" and "IA32_DEBUGCTL
 * MSR".
 */
void pmu_end_freezing(const struct pmu_caps *caps);
