/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The write gate as the runtime sees it: a question before each write, which code above the runtime answers (pmu/gate).
 * A program without that answer does not link.
 */
#pragma once

#include "boot/bits.h"

/* True if `value` may be written to `msr` now, on the calling CPU; else *rule names the rule that forbids it. */
bool gate_asked(u32 msr, u64 value, const char **rule);

/* The calling CPU has refused a write of `msr` that was allowed. */
void gate_faulted(u32 msr);
