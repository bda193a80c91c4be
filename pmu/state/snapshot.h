/*
 * PMU registers and LVTPC saved and compared; pmu/state/restore.h puts them back. One table says which registers exist
 * for which capabilities, which of their bits are compared (moving and unrestorable bits are not) and how each is
 * restored.
 */
#pragma once

#include "pmu/caps.h"

#define SNAPSHOT_MAX 88

struct snapshot_entry {
    u32 msr;       /* SNAPSHOT_LVTPC for the local APIC's entry */
    bool readable; /* false: RDMSR faulted */
    u64 value;
};
#define SNAPSHOT_LVTPC 0xffffffffu

struct snapshot {
    unsigned count;
    struct snapshot_entry entry[SNAPSHOT_MAX];
};

/* Saves the registers of the calling CPU. Only reads. */
void snapshot_take(const struct pmu_caps *caps, struct snapshot *snapshot);
/* Adds LVTPC, where the local APIC came to be known only after snapshot_take(). */
void snapshot_add_lvtpc(struct snapshot *snapshot);
/* The entry of a register, or NULL. */
const struct snapshot_entry *snapshot_find(const struct snapshot *snapshot, u32 msr);
/*
 * The first register whose compared bits differ between the two (the entry of `from`), or NULL; both are of the same
 * CPU. Not compared: the value of a counter that was running in `from`, bits that move by themselves or by an SMI.
 */
const struct snapshot_entry *snapshot_difference(const struct pmu_caps *caps, const struct snapshot *from,
                                                 const struct snapshot *to);
/*
 * False if this CPU has no way to bring the entry's value back: a GP counter without full-width writes whose value is
 * not a sign-extended 32-bit one, a status bit below version 4 or one that software cannot set.
 */
bool snapshot_restorable(const struct pmu_caps *caps, const struct snapshot_entry *entry);

/* The registers that a snapshot of this CPU holds, in the order in which they are put back; returns how many. Pure. */
unsigned snapshot_registers(const struct pmu_caps *caps, u32 list[SNAPSHOT_MAX]);
/* Who shares a register: what one CPU writes to a register of its core, its sibling threads see. */
enum register_scope { SCOPE_THREAD, SCOPE_CORE, SCOPE_PACKAGE };
enum register_scope register_scope(const struct pmu_caps *caps, u32 msr);
