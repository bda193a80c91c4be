/*
 * Model-specific registers: every index and every bit that pmucheck names, from pmu/registers.def. Macros only: usable
 * in pure code and on the build host.
 */
#pragma once

#include "boot/cpu.h"

#define REGISTER(...)
#include "pmu/registers.def"
#undef REGISTER
