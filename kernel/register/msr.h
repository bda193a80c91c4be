/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reads of model-specific registers and performance counters by index, with faults returned to the caller. No function
 * here turns a fault into a zero. Registers of the PMU are written by pmu/gate/write.h, those of the processor that the
 * runtime needs by kernel/register/system_msr.h.
 */
#pragma once

#include "kernel/register/fault.h"

/* Reads MSR `msr` into *value; on a fault *value is left alone and the fault returned. */
fault_t rdmsr_try(u32 msr, u64 *value);
/* RDPMC of `index` at the current privilege level. */
fault_t rdpmc_try(u32 index, u64 *value);
/* The same for a read whose fault would be a bug of ours: it is dumped and ends the test or the run. */
u64 rdmsr(u32 msr);

/* If set, these functions call it before each access; it may name the access in the log. */
extern void (*msr_access_begins)(u32 msr, bool write);
