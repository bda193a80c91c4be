/*
 * Version 6 has an alias of each counter: four registers from 1900H on for each GP counter, from 1980H on for each
 * fixed one. CTR is its value, CFG_A a GP counter's event select; CFG_B says whose overflow reloads the counter, CFG_C
 * from what value. SDM 4, "Architectural MSRs". Pure.
 */
#pragma once

#include "pmu/cpu/caps.h"
#include "pmu/registers.h"

#define ALIAS_APART 4 /* registers of a counter */

/* Has this CPU aliases: version 6, where leaf 23H names counters? */
bool has_aliases(const struct pmu_caps *caps);
/* The counters, as bits of IA32_PERF_GLOBAL_CTRL, that have one: those that leaf 23H names, as far as they are used. */
u64 aliased_counters(const struct pmu_caps *caps);
/*
 * Which of the registers MSR_PMC_GP_CTR(n), MSR_PMC_GP_CFG_A(n) and so on this is, `first` being that of number 0: 64,
 * none of `count` of them.
 */
unsigned alias_number(u32 msr, u32 first, unsigned count);
/* CFG_B and CFG_C of the counter at this bit of IA32_PERF_GLOBAL_CTRL, and which counter's CFG_C this is: 64, none's.
 */
u32 alias_cfg_b(unsigned bit);
u32 alias_cfg_c(unsigned bit);
unsigned alias_cfg_c_bit(u32 msr);
/*
 * Bits of CFG_B that CPUs were seen to fault on: those of GP counters 0 and 1, where they cannot cause a reload. A
 * Panther Lake did when a kernel set bit 0 in that of a fixed counter on an Atom core. 0: not known.
 */
u64 cfg_b_refused(const struct pmu_caps *caps);
