/* What registers are called. Pure. */
#pragma once

#include "boot/bits.h"

/* SDM name of a PMU register: "IA32_PERF_GLOBAL_CTRL", "IA32_PERFEVTSEL3", "LVTPC"; others as "MSR_1a0H". */
#define REGISTER_NAME_SIZE 40
const char *register_name(u32 msr, char *text);
/* The number of the register with this name, which register_name() gives; false if it is none, or no MSR. */
bool register_number(const char *name, u32 *msr);
