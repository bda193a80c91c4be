/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The `# options`, `# date`, `# machine`, `# cpu`, `# tsc`, `# topology`, `# place` and `# cpuid` lines, what this
 * machine is, and what a run adds to them: numbers that settle later arguments.
 */
#pragma once

#include "kernel/cpu/cpus.h"

/* `name`: what the user calls it, "" for nothing. */
void machine_print(const char *name);
/*
 * What a run's PMU is and how it was found: `# platform` and `# found`. On the reference PMU also `# cpu`, and those
 * leaves of CPUID that are not the machine's; what lies above its highest leaf is not there.
 */
void machine_print_run(const struct cpu_set *cpus, bool reference);

/* The machine's name and the date, as every page of the screen has them; after machine_print(). It stays. */
const char *machine_who(void);

/* Parts of them: `# cpu`; all leaves of each kind of core; those of one CPU that differ from the machine's. */
void machine_print_cpus(void);
void machine_print_leaves(void);
/* `# tsc`: how far the CPUs' TSCs are from the boot CPU's, with what firmware has made of them. */
void machine_print_clocks(void);
void machine_print_other_leaves(u32 cpu);
