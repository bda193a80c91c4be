/* SPDX-License-Identifier: BSD-2-Clause */
/* Restores PMU registers and LVTPC from a snapshot or from the hand-off. */
#pragma once

#include "pmu/state/snapshot.h"

/*
 * Restores the calling CPU's registers: stops everything first and starts it last. Returns how many could not be
 * restored; the caller lists these, but does not judge them.
 */
unsigned snapshot_restore(const struct pmu_caps *caps, const struct snapshot *snapshot);
/*
 * Restores the calling CPU as it was found and returns how many registers could not be (see snapshot_restorable()). The
 * last action on a CPU: nothing may be counted afterwards. Not under the reference PMU.
 */
unsigned handoff_restore(void);
