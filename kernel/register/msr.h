/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Access to model-specific registers and performance counters by index, with faults returned to the caller. No function
 * here turns a fault into a zero.
 */
#pragma once

#include "kernel/register/fault.h"

/* Reads MSR `msr` into *value; on a fault *value is left alone and the fault returned. */
fault_t rdmsr_try(u32 msr, u64 *value);
/* Writes MSR `msr` if the write gate allows it: FAULT_REFUSED if not, the hardware's fault if it faults. */
fault_t wrmsr_try(u32 msr, u64 value);
/* RDPMC of `index` at the current privilege level. */
fault_t rdpmc_try(u32 index, u64 *value);
/*
 * The same for accesses whose fault would be a bug of ours: it is dumped and ends the test or the run. A write that
 * fails ends in UD2: EAX holds the fault, ECX the register, RDX the value, RSI the rule if the gate refused.
 */
u64 rdmsr(u32 msr);
void wrmsr(u32 msr, u64 value);

/* If set, these functions call it before each access; it may name the access in the log. */
extern void (*msr_access_begins)(u32 msr, bool write);
