/* What the CPU's own registers tell of the TSC's rate. */
#pragma once

#include "boot/bits.h"

/*
 * MSR_PLATFORM_INFO, for tsc_rate_ratio(); 0 where the CPU has none, or where it is no Intel CPU whose unit is known:
 * then it is not even read.
 */
u64 tsc_cpu_platform_info(void);
/*
 * The TSC's rate in kHz by the local APIC's timer, which counts the crystal of this frequency, if CPUID leaf 15H tells
 * one: SDM 3A, "APIC Timer". 0: it tells none, there is no APIC, or its timer stands still. On the boot CPU, in 10 ms,
 * before anybody uses the timer.
 */
u64 tsc_cpu_by_apic(u32 crystal_hz);
