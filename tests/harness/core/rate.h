/* SPDX-License-Identifier: BSD-2-Clause */
/* How often something failed per million repeats. Pure. */
#pragma once

#include "boot/bits.h"

/* Failures per million repeats; 0 without repeats. */
u64 rate_per_million(u64 failures, u64 repeats);
/* Without a failure: the rate that is excluded at 95 %, 3 / n, per million. Without repeats no rate is excluded. */
u64 rate_excluded(u64 repeats);
