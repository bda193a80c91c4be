/* How fast the TSC ticks, by the best two clocks that the machine has. */
#pragma once

#include "boot/bits.h"

struct calibration {
    u64 khz;                     /* 0: no clock could be used, and the CPU states no rate */
    const char *source, *second; /* "cpuid-16" and "platform-info" are stated, not measured; "none": there was none */
    u32 disagreement_ppm;
};

/*
 * Measures for about 10 ms a clock, bounded. Needs acpi_init(). Leaves every clock as it was found. `platform_info`
 * returns what MSR_PLATFORM_INFO holds, 0: there is none, and is asked only where no clock is left.
 */
struct calibration calibrate_tsc(u64 (*platform_info)(void));
