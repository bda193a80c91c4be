/* How often something failed, in a million repeats. Pure. */
#pragma once

#include "boot/bits.h"

/* Failures in a million repeats; 0 without repeats. */
u64 rate_per_million(u64 failures, u64 repeats);
/* If there were none: the rate that is excluded with 95 %, 3 / n, in a million. Without repeats none is. */
u64 rate_excluded(u64 repeats);
