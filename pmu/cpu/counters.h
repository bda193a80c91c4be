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
