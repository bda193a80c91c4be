/*
 * Classes on whose silicon it has been seen what happens to a write that the manual leaves open or forbids. None of
 * them under a hypervisor: it shows whichever signature it likes, and what it makes of such a write, or hands on to the
 * silicon below, no dump tells. A virtual PMU is written what CPUID and IA32_PERF_CAPABILITIES say that it has. Pure.
 */
#pragma once

#include "pmu/cpu/caps.h"

/* A bit above a counter's width has been seen to fault: there it may be tried. */
bool width_tested(const struct pmu_caps *caps);
/* Every bit of every architectural PMU register has been tried, by dumps that show the outcome. */
bool walk_tested(const struct pmu_caps *caps);
/* A write to the read-only registers has been seen to fault. */
bool read_only_tested(const struct pmu_caps *caps);
