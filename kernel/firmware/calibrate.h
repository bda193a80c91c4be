/* SPDX-License-Identifier: BSD-2-Clause */
/* The TSC's rate, from the best two clocks of the machine. */
#pragma once

#include "boot/bits.h"

struct calibration {
    u64 khz;                     /* 0: no clock worked, and the CPU states no rate */
    const char *source, *second; /* "cpuid-16" and "platform-info" are stated, not measured */
    u32 disagreement_ppm;
};

/*
 * Measures for about 10 ms per clock, with a bound. Needs acpi_init(). Leaves every clock as it found it.
 * `platform_info` returns the value of MSR_PLATFORM_INFO, 0 if there is none; it is called only if no clock works.
 */
struct calibration calibrate_tsc(u64 (*platform_info)(void));
