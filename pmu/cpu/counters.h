/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * General-purpose and fixed-function counters in one type, as a CPU enumerates them. SDM 3B, "Architectural Performance
 * Monitoring". Pure.
 */
#pragma once

#include "pmu/cpu/caps.h"
#include "pmu/registers.h"

struct counter {
    bool fixed;
    u8 index; /* n of IA32_PMCn or i of IA32_FIXED_CTRi */
    u8 width;
    u8 bit;    /* its bit in IA32_PERF_GLOBAL_CTRL, _STATUS and _INUSE: n, or 32 + i */
    u32 msr;   /* for access to its value, at full width if possible */
    u32 rdpmc; /* its RDPMC index */
};

/* Stores all enumerated counters of `caps`, GP first, and returns their number, at most COUNTERS_MAX. */
#define COUNTERS_MAX 64
unsigned counters(const struct pmu_caps *caps, struct counter *list);
struct counter gp_counter(const struct pmu_caps *caps, unsigned index);
struct counter fixed_counter(const struct pmu_caps *caps, unsigned index);

/* The register of its control, and there the bit by which its overflows raise PMIs. */
static inline u32 counter_control(struct counter c)
{
    return c.fixed ? MSR_FIXED_CTR_CTRL : MSR_PERFEVTSEL(c.index);
}
static inline u64 counter_pmi(struct counter c)
{
    return c.fixed ? FIXED_PMI(c.index) : EVTSEL_INT;
}

/* Can this counter count architectural event `event`? A GP counter can count any, a fixed one only its own. */
bool counter_can_count(struct counter counter, u16 event);
/* Does a legacy write of IA32_PMCn (bit 31 sign-extended to the width) leave exactly `value`? */
bool legacy_write_holds(unsigned width, u64 value);
/* -n at the counter's width: the counter overflows after n events. */
u64 counter_preset(struct counter counter, u64 n);

/*
 * Version 6 has an alias of each counter: four registers per GP counter from 1900H on, and per fixed counter from 1980H
 * on. CTR is the counter's value, CFG_A a GP counter's event select; CFG_B says which counters' overflows reload the
 * counter, CFG_C the value to reload. SDM 4, "Architectural MSRs". Pure.
 */

#define ALIAS_APART 4 /* registers per counter */

/* Has this CPU aliases: version 6 and counters in leaf 23H? */
bool has_aliases(const struct pmu_caps *caps);
/* The counters that have aliases, as bits of IA32_PERF_GLOBAL_CTRL: those in leaf 23H that are also used. */
u64 aliased_counters(const struct pmu_caps *caps);
/*
 * The number of the counter whose register this is, among MSR_PMC_GP_CTR(n), MSR_PMC_GP_CFG_A(n) and so on; `first` is
 * counter 0's register. 64: it belongs to none of `count` counters.
 */
unsigned alias_number(u32 msr, u32 first, unsigned count);
/* The counter whose value this register is, by each of its names, as its bit of IA32_PERF_GLOBAL_CTRL; 64: none's. */
unsigned alias_value_bit(u32 msr);
/* CFG_B and CFG_C of the counter at this bit of IA32_PERF_GLOBAL_CTRL, and the bit of the counter with this CFG_B or
 * CFG_C (64: none). */
u32 alias_cfg_b(unsigned bit);
u32 alias_cfg_c(unsigned bit);
unsigned alias_cfg_b_bit(u32 msr);
unsigned alias_cfg_c_bit(u32 msr);
/*
 * Bits of CFG_B on which CPUs were seen to fault: those of GP counters 0 and 1, if these cannot cause a reload. A
 * Panther Lake faulted when a kernel set bit 0 in a fixed counter's CFG_B on an Atom core. 0: none known.
 */
u64 cfg_b_refused(const struct pmu_caps *caps);
