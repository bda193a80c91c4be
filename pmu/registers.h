/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Model-specific registers: every index and every bit in pmucheck, from pmu/registers.def. Macros only, for pure code
 * and the build host as well.
 */
#pragma once

#include "boot/cpu.h"

#define REGISTER(...)
#include "pmu/registers.def"
#undef REGISTER
