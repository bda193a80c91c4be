/*
 * Freezing by IA32_DEBUGCTL: on a PMI the counters, or the last-branch records, stop by themselves. SDM 3B, "Freezing
 * LBRs and Performance Counters on PMI". From version 4 on ("streamlined") a status bit tells that they stand still and
 * clearing it lets them go on; before that, the hardware clears the enable bits. Functions act on the calling CPU.
 */
#pragma once

#include "pmu/cpu/caps.h"

/* May IA32_DEBUGCTL[12], freeze counters on PMI, be set on this CPU? Pure. */
bool freeze_possible(const struct pmu_caps *caps);
/*
 * May IA32_DEBUGCTL[11], freeze LBRs on PMI, be set on this CPU, with the LBRs of IA32_DEBUGCTL[0]? Architectural LBRs
 * have an enable of their own. Pure.
 */
bool freeze_lbrs_possible(const struct pmu_caps *caps);

/* Adds bits to IA32_DEBUGCTL and returns what it held, for freeze_end(). */
u64 freeze_begin(u64 bits);
/* Writes IA32_DEBUGCTL back as freeze_begin() found it, and clears the two freeze bits of STATUS (version 4). */
void freeze_end(u64 found);
