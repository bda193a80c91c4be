/* SPDX-License-Identifier: BSD-2-Clause */
/* How often something failed per million repeats. */
#include "harness/core/tally.h"

#define MILLION 1000000ul

u64 rate_per_million(u64 failures, u64 repeats)
{
    return repeats ? failures * MILLION / repeats : 0;
}

u64 rate_excluded(u64 repeats)
{
    return repeats > 3 ? (3 * MILLION + repeats - 1) / repeats : MILLION;
}
