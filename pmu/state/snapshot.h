/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PMU registers and LVTPC, saved and compared; pmu/run/restore.h restores them. The table of registers (register.h)
 * says which registers there are, which CPUs share them and which bits are compared. It contains every register that
 * the write gate allows to be written, by its own name or by that of the register that it changes.
 */
#pragma once

#include "pmu/state/register.h"

#define SNAPSHOT_MAX 192

/* Parts of the table, one bit each. */
enum snapshot_part {
    SNAPSHOT_OWN = 1,    /* registers of the thread alone */
    SNAPSHOT_SHARED = 2, /* other threads of the core or module write them too, which may cause a difference */
    /* Registers that the hardware writes while it records branches: never compared, and restored only at the end. */
    SNAPSHOT_RECORDS = 4,
    SNAPSHOT_ALL = 7,
};

struct snapshot_entry {
    u32 msr; /* REGISTER_LVTPC for the local APIC's entry */
    const struct register_row *row;
    u8 part;       /* enum snapshot_part */
    bool readable; /* false: RDMSR faulted */
    bool moved;    /* it read differently at a later look */
    u64 value;
};

struct snapshot {
    unsigned count;
    struct snapshot_entry entry[SNAPSHOT_MAX];
};

/* Saves these parts (enum snapshot_part) of the calling CPU's registers. Only reads. */
void snapshot_take(const struct pmu_caps *caps, unsigned parts, struct snapshot *snapshot);
/* Adds LVTPC, for a local APIC that was found only after snapshot_take(). */
void snapshot_add_lvtpc(struct snapshot *snapshot);
/* The entry of a register, or NULL. */
const struct snapshot_entry *snapshot_find(const struct snapshot *snapshot, u32 msr);
/*
 * The first register whose compared bits differ between the two snapshots of one CPU (its entry in `to`), or NULL. Not
 * compared are branch records, the value of a counter that was running in `from`, and bits that change by themselves or
 * by an SMI.
 */
const struct snapshot_entry *snapshot_difference(const struct pmu_caps *caps, const struct snapshot *from,
                                                 const struct snapshot *to);
/*
 * False if this CPU cannot restore the entry's value: a GP counter without full-width writes whose value is not a
 * sign-extended 32-bit one, a status bit below version 4 or one that software cannot set.
 */
bool snapshot_restorable(const struct pmu_caps *caps, const struct snapshot_entry *entry);

/* Lists the registers of these parts that this CPU has, in the order of restoring, without reading them. Pure. */
void snapshot_list(const struct pmu_caps *caps, unsigned parts, struct snapshot *snapshot);
