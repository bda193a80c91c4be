/* The state in which every test finds the PMU of the calling CPU. */
#pragma once

#include "pmu/cpu/caps.h"

/*
 * Nothing counts, nothing is programmed, no PMI is on its way: what every test finds. A register that does not answer
 * is a test's affair, so nothing here may fault.
 */
void pmu_quiet(const struct pmu_caps *caps);
