/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which bits of IA32_PERF_GLOBAL_STATUS may be set because of what was written on the calling CPU: a bit is set by an
 * overflow of its counter, which must have been enabled or written, by a PMI that freezes, by sampling, by a trace, or
 * by IA32_PERF_GLOBAL_STATUS_SET. All others have no cause. SDM 3B, "IA32_PERF_GLOBAL_STATUS MSR".
 */
#pragma once

#include "pmu/cpu/caps.h"

/* Pure: the bits that a write of `value` to `msr` may cause. */
u64 caused_by(u32 msr, u64 value);
/* From now on only the bits that stand now have a cause, and those that firmware's settings may set. */
void caused_begin(void);
/* The calling CPU is about to write this. */
void caused_note(u32 msr, u64 value);
/* The bits with a cause since caused_begin(). */
u64 caused_bits(void);
/*
 * These bits were set by software and read as 1: from now on they stay, until a write of IA32_PERF_GLOBAL_STATUS_RESET
 * clears them or caused_begin() is called. caused_kept(): those that must still be set.
 */
void caused_keep(u64 bits);
u64 caused_kept(void);
