/* PMU registers and LVTPC put back as a snapshot or the hand-off has them. */
#pragma once

#include "pmu/state/snapshot.h"

/*
 * Puts the calling CPU's registers back: everything stopped first, started last. Returns how many could not be restored
 * (they are to be listed, not judged).
 */
unsigned snapshot_restore(const struct pmu_caps *caps, const struct snapshot *snapshot);
/*
 * Puts the calling CPU back as it was found and returns how many registers could not be (snapshot_restorable() says
 * which). The last thing done on a CPU: nothing may count afterwards. Not to be called under the reference PMU.
 */
unsigned handoff_restore(void);
