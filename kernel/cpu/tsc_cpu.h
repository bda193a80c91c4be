/* SPDX-License-Identifier: BSD-2-Clause */
/* What the CPU's own registers state about the TSC's rate. */
#pragma once

#include "boot/bits.h"

/*
 * MSR_PLATFORM_INFO, for tsc_rate_ratio(). 0 if the CPU has no such register or is not an Intel CPU whose unit is
 * known: then the register is not even read.
 */
u64 tsc_cpu_platform_info(void);
/*
 * The TSC's rate in kHz, measured with the local APIC's timer, which counts the crystal of this frequency if CPUID leaf
 * 15H enumerates one: SDM 3A, "APIC Timer". 0: none is enumerated, there is no APIC, or its timer stands still. Takes
 * 10 ms; call on the boot CPU before the timer is in use.
 */
u64 tsc_cpu_by_apic(u32 crystal_hz);
