/* SPDX-License-Identifier: BSD-2-Clause */
/* What came from outside while a test made checks without a bracket that cannot be repeated. */
#pragma once

#include "harness/core/form.h"
#include "harness/core/results.h"

struct interference {
    u64 smis; /* 0 if the CPU does not count them */
    u32 strays;
};
/* What has disturbed the calling CPU so far. */
struct interference interference_now(const struct pmu_caps *caps);
/*
 * Stores in the results how many SMIs came since `before`. A failure outside a bracket may be caused by an SMI or a
 * stray interrupt: if any came, the test is an error, not a failure. SMIs that it asked for are no excuse.
 */
void interference_excuse(struct results *results, const struct test *test, const struct interference *before);
