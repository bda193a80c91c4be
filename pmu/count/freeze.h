/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Freezing by IA32_DEBUGCTL: on a PMI the counters, or the last-branch records, stop automatically. SDM 3B, "Freezing
 * LBRs and Performance Counters on PMI". From version 4 on ("streamlined") a status bit says that they are frozen, and
 * clearing it lets them continue; earlier versions clear the enable bits. Functions act on the calling CPU.
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

/* Sets bits in IA32_DEBUGCTL and returns its previous value, for freeze_end(). */
u64 freeze_begin(u64 bits);
/* Restores IA32_DEBUGCTL, and clears the two freeze bits of STATUS (version 4). */
void freeze_end(u64 found);
