/* What came from outside while a test checked things that no bracket surrounds and that cannot be repeated. */
#pragma once

#include "harness/core/results.h"

struct interference {
    u64 smis; /* 0 where the CPU does not count them */
    u32 strays;
};
/* What the calling CPU has had of it until now. */
struct interference interference_now(const struct pmu_caps *caps);
/*
 * Tells the results how many SMIs came since `before`. A failure outside a bracket may be an SMI's doing, or a stray
 * interrupt's: if any came since, the test is an error and no fail.
 */
void interference_excuse(struct results *results, const struct pmu_caps *caps, const struct interference *before);
