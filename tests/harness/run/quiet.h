/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of the calling CPU's PMU at the start of every test. */
#pragma once

#include "pmu/cpu/caps.h"

/*
 * Nothing counts, nothing is programmed, no PMI is pending: every test starts from this. Tests report registers that do
 * not answer, so nothing here may fault.
 */
void pmu_quiet(const struct pmu_caps *caps);
/*
 * Before the first test: turns off what an earlier kernel may have set, the freezing of counters and branch records on
 * PMIs, and of counters in SMM, after which RSM sets every enable of IA32_PERF_GLOBAL_CTRL. Tests turn these on
 * themselves. Restored at the end like everything else. SDM 3B, "Freezing Performance Counters on PMI" and
 * "IA32_DEBUGCTL MSR".
 */
void pmu_end_freezing(const struct pmu_caps *caps);
