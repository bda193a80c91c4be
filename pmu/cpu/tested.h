/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Classes on whose silicon it has been seen what happens to a write that the manual leaves open or forbids. Never under
 * a hypervisor: it may show any signature, and no dump says what it does with such a write or passes on to the silicon.
 * To a virtual PMU only what CPUID and IA32_PERF_CAPABILITIES enumerate is written. Pure.
 */
#pragma once

#include "pmu/cpu/caps.h"

/* Every bit of every architectural PMU register has been tried, by dumps that show the outcome. */
bool walk_tested(const struct pmu_caps *caps);
/* A write to the read-only registers has been seen to fault. */
bool read_only_tested(const struct pmu_caps *caps);
/*
 * A known class of version 4 or later: the bits of its PMU registers are known, so that a write to them that the manual
 * leaves open either faults or changes no more than is known. No dump need show which.
 */
bool known_since_version_4(const struct pmu_caps *caps);
/* May a bit above a counter's width be tried: because it has been seen to fault, or can only be ignored? */
bool width_tried(const struct pmu_caps *caps);
/* May any value be written to IA32_PERF_CAPABILITIES: where the fault has been seen, or a program answers instead of a
 * CPU? */
bool capabilities_tried(const struct pmu_caps *caps);
