/* What came from outside while a test checked things that no bracket surrounds and that cannot be repeated. */
#pragma once

#include "harness/run/results.h"

/* SMIs that the calling CPU has counted; 0 where it does not count them. */
u64 interference_smis(const struct pmu_caps *caps);
/* A failure outside a bracket may be an SMI's doing: if any came since `before`, the test is an error and no fail. */
void interference_excuse(struct results *results, const struct pmu_caps *caps, u64 before);
