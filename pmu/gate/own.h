/*
 * What this image last wrote to each control register of each CPU. Firmware agents and SMM handlers write them too;
 * a register that no longer reads as written was changed by somebody else, and what was counted meanwhile says nothing.
 * The gate sees every write and records it here. Pure.
 */
#pragma once

#include "pmu/cpu/caps.h"

/* Event selects first, then the others; last each counter's CFG_C, by which it samples, and CFG_B, who reloads it. */
#define OWN_OTHERS 11
#define OWN_SAMPLERS (GP_COUNTERS_MAX + OWN_OTHERS)
#define OWN_RELOADS (OWN_SAMPLERS + GP_COUNTERS_MAX + FIXED_COUNTERS_MAX)
#define OWN_REGISTERS (OWN_RELOADS + GP_COUNTERS_MAX + FIXED_COUNTERS_MAX)

/* Up to here they are those that say what each counter counts. */
#define OWN_COUNTER_CONTROLS GP_COUNTERS_MAX

struct own_value {
    bool known;
    u64 written;
    u64 before; /* the value recorded before: still there if the last write faulted */
};

struct own {
    struct own_value value[OWN_REGISTERS];
};

/* The slot of a register, OWN_REGISTERS if it has none: it is not a control. */
unsigned own_slot(u32 msr);
/* Records a write that is about to be made, of the register in this slot. What has none is passed over. */
void own_record(struct own *own, unsigned slot, u64 value);
/* What was last written to a control register; 0 if nothing was. */
u64 own_written(const struct own *own, u32 msr);
/* The register of slot `index`, or 0 if it has none on this CPU or reads back as it likes. */
u32 own_register(const struct pmu_caps *caps, unsigned index);
/*
 * Does `found` agree with what was written? True if nothing was. Bits that a CPU may drop are not compared, nor what
 * the legacy freeze on PMI clears by itself.
 */
bool own_agrees(const struct pmu_caps *caps, const struct own *own, unsigned index, u64 found);
/* The counters, as IA32_PERF_GLOBAL_STATUS bits, whose control was last written with its PMI bit set. */
u64 own_interrupting(const struct own *own);
/* Was some counter's CFG_C last written with its bit for architectural PEBS? */
bool own_samples(const struct own *own);
