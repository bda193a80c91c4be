/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What this image last wrote to each control register of each CPU. Firmware agents and SMM handlers write these
 * registers too: if a register no longer reads as written, other software has changed it, and what was counted
 * meanwhile is meaningless. The gate sees every write and records it here. Pure.
 */
#pragma once

#include "pmu/cpu/caps.h"

/* At least as many slots as there are registers that pmu/registers.def has watched. */
#define OWN_REGISTERS 96

struct own_value {
    bool known;
    u64 written;
    bool known_before; /* was a value recorded before it? */
    u64 before;        /* that value: it is still in the register if the last write faulted */
};

struct own {
    struct own_value value[OWN_REGISTERS];
};

/* The slot of a register; OWN_REGISTERS for one that is not a control. */
unsigned own_slot(u32 msr);
/* Records a write that is about to be made, of the register in this slot. Ignores OWN_REGISTERS. */
void own_record(struct own *own, unsigned slot, u64 value);
/* Takes the last record of this slot back: the CPU has refused the write. Ignores OWN_REGISTERS. */
void own_take_back(struct own *own, unsigned slot);
/* The value last written to a control register; 0 if there was none. */
u64 own_written(const struct own *own, u32 msr);
/* The register of slot `index`; 0 if this CPU does not have it, or if it may read back other values. */
u32 own_register(const struct pmu_caps *caps, unsigned index);
/*
 * Does `found` agree with the written value? True if none was written. Does not compare bits that a CPU may drop, nor
 * bits that the legacy freeze on PMI clears.
 */
bool own_agrees(const struct pmu_caps *caps, const struct own *own, unsigned index, u64 found);
/* The counters whose control was last written with its PMI bit set, as bits of IA32_PERF_GLOBAL_STATUS. */
u64 own_interrupting(const struct own *own);
/* Was any counter's CFG_C last written with the bit that turns on architectural PEBS? */
bool own_samples(const struct own *own);
/* Does the register of this slot say what a counter counts? */
bool own_selects(unsigned slot);
