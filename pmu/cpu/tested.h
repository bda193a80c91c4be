/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Classes on whose silicon it has been seen what happens to a write that the manual leaves open or forbids. Never under
 * a hypervisor: it may show any signature, and no dump says what it does with such a write or passes on to the silicon.
 * To a virtual PMU only what CPUID and IA32_PERF_CAPABILITIES enumerate is written. Pure.
 */
#pragma once

#include "pmu/cpu/caps.h"

/* Writing a bit above a counter's width has been seen to fault, so that may be tried. */
bool width_tested(const struct pmu_caps *caps);
/* Every bit of every architectural PMU register has been tried, by dumps that show the outcome. */
bool walk_tested(const struct pmu_caps *caps);
/* A write to the read-only registers has been seen to fault. */
bool read_only_tested(const struct pmu_caps *caps);
/* On other classes the value that a read-only register reads changes nothing, whether the write faults or not. Only of
 * version 4 on, whose registers are one generation's, and of known classes. */
bool read_only_same_value(const struct pmu_caps *caps);
