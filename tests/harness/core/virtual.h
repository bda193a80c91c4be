/*
 * What a hypervisor's PMU owes its guest, for judge=virtual: the registers of what CPUID shows, and every promise of
 * the architecture but those that only silicon makes. Tables, no test of its own. Pure.
 */
#pragma once

#include "pmu/cpu/caps.h"

/* Is this a register of what CPUID and IA32_PERF_CAPABILITIES show? Those that only a model of CPU implies are none. */
bool virtual_register(const struct pmu_caps *caps, u32 msr);
/* What such a check is about that no virtual PMU promises: "cycles". NULL: a promise. The text lives for ever. */
const char *virtual_unpromised(const char *test, const char *label);
