/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Writes of model-specific registers, behind the write gate (pmu/gate/gate.h): the way that each test and each part of
 * pmu/ goes. Reads are in kernel/register/msr.h.
 */
#pragma once

#include "kernel/register/msr.h"

/* Writes MSR `msr` if the gate allows it: FAULT_REFUSED if not, the hardware's fault if it faults. */
fault_t wrmsr_try(u32 msr, u64 value);
/*
 * The same where a failure would be a bug of ours: it is dumped and ends the test or the run, by UD2 with EAX = the
 * fault, ECX = the register, RDX = the value and RSI = the rule if the gate refused.
 */
void wrmsr(u32 msr, u64 value);
