/* SPDX-License-Identifier: BSD-2-Clause */
/* What each CPU runs when it comes up, and the order in which the image starts. */
#pragma once

#include "boot/cpu.h"
#include "kernel/core/option.h"

/*
 * Upward calls, defined by the rooms above. cpu_started(): on every CPU as soon as it can take faults, before anything
 * is written to its PMU (pmu/state/handoff.h). main(): everything is up; startup_error says what is wrong with the
 * options, or is NULL.
 */
extern struct option_value option_watchdog; /* the image's start arms it, and main() keeps it armed */
void cpu_started(void);
#if !__STDC_HOSTED__ /* programs of the build machine have another main() */
void main(const char *startup_error);
#endif
