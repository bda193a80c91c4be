/* How fast the TSC ticks, by the best two clocks that the machine has. */
#pragma once

#include "boot/bits.h"

struct calibration {
    u64 khz;                     /* 0: no clock could be used */
    const char *source, *second; /* "none" if there was none */
    u32 disagreement_ppm;
};

/* Measures for about 10 ms a clock, bounded. Needs acpi_init(). Leaves every clock as it was found. */
struct calibration calibrate_tsc(void);
