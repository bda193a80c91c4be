/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of registers. Pure. */
#pragma once

#include "pmu/cpu/caps.h"

/* SDM name of a PMU register: "IA32_PERF_GLOBAL_CTRL", "IA32_PERFEVTSEL3", "LVTPC"; others as "MSR_1a0H". By the row of
 * that CPU's kind of PMU, as register_row_of() has it (NULL: its capabilities are not known). */
#define REGISTER_NAME_SIZE 40
const char *register_name(const struct pmu_caps *caps, u32 msr, char *text);
/* Its name on any CPU: by the row of NetBurst if only that has one. */
const char *register_name_on_any(u32 msr, char *text);
/* The number of the register with this name, as register_name() writes it for some CPU; false if none has it, or it is
 * no MSR. */
bool register_number(const char *name, u32 *msr);
