/* SPDX-License-Identifier: BSD-2-Clause */
/* Arithmetic of clocks. Pure. */
#pragma once

#include "boot/bits.h"

/*
 * The TSC's rate if it advanced by tsc_ticks while a clock of clock_hz advanced by clock_ticks; 0 if clock_ticks is 0.
 * tsc_ticks times clock_hz must fit in 64 bits: half a minute at 5 GHz against a clock of 100 MHz.
 */
u64 tsc_rate_khz(u64 tsc_ticks, u64 clock_ticks, u64 clock_hz);
/* The rate that CPUID leaf 15H states: crystal_hz * numerator / denominator; 0 if a part of it is not enumerated. */
u64 tsc_rate_crystal(u32 denominator, u32 numerator, u32 crystal_hz);
/* The rate that CPUID leaf 16H states in EAX, in kHz: "processor base frequency", to the MHz; 0 if not enumerated. */
u64 tsc_rate_base(u32 eax);
/*
 * The rate that MSR_PLATFORM_INFO's "maximum non-turbo ratio" states, for the CPU with this signature (CPUID.01H:EAX);
 * 0 if the CPU lacks that register, or its ratio is of another clock. SDM 4, by model.
 */
u64 tsc_rate_ratio(u32 signature, u64 platform_info);
/* Does an Intel CPU with this signature have the register, with a bus clock that is known as its unit? */
bool tsc_rate_has_ratio(u32 signature);
/* How far two rates are apart, in millionths of the larger one. */
u32 tsc_rate_apart_ppm(u64 a_khz, u64 b_khz);
/* Which of three rates lies between the other two: 0, 1 or 2. */
unsigned tsc_rate_median(const u64 khz[3]);
/* Ticks to microseconds and back, rounded down; without overflow for any uptime. */
u64 tsc_rate_us(u64 ticks, u64 khz);
u64 tsc_rate_ticks(u64 us, u64 khz);
