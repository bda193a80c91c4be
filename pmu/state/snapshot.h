/*
 * PMU registers and LVTPC saved and compared; pmu/run/restore.h puts them back. Which there are, who sees a change of
 * them and which of their bits are compared is in the table of registers (register.h). Whatever the write gate lets be
 * written is among them, by its own name or by that of what it changes.
 */
#pragma once

#include "pmu/state/register.h"

#define SNAPSHOT_MAX 192

/* Parts of the table, each a bit. */
enum snapshot_part {
    SNAPSHOT_OWN = 1,    /* the thread's own */
    SNAPSHOT_SHARED = 2, /* other threads of its core or module write them too: a difference may be their doing */
    /* What the hardware writes while it records branches: never compared, and only given back at the end. */
    SNAPSHOT_RECORDS = 4,
    SNAPSHOT_ALL = 7,
};

struct snapshot_entry {
    u32 msr; /* REGISTER_LVTPC for the local APIC's entry */
    const struct register_row *row;
    u8 part;       /* enum snapshot_part */
    bool readable; /* false: RDMSR faulted */
    bool moved;    /* read differently when it was looked at again */
    u64 value;
};

struct snapshot {
    unsigned count;
    struct snapshot_entry entry[SNAPSHOT_MAX];
};

/* Saves these parts (enum snapshot_part) of the calling CPU's registers. Only reads. */
void snapshot_take(const struct pmu_caps *caps, unsigned parts, struct snapshot *snapshot);
/* Adds LVTPC, where the local APIC came to be known only after snapshot_take(). */
void snapshot_add_lvtpc(struct snapshot *snapshot);
/* The entry of a register, or NULL. */
const struct snapshot_entry *snapshot_find(const struct snapshot *snapshot, u32 msr);
/*
 * The first register whose compared bits differ between the two (the entry of `to`: as it is now), or NULL; both are of
 * the same CPU. Not compared: branch records, the value of a counter that was running in `from`, bits that move by
 * themselves or by an SMI.
 */
const struct snapshot_entry *snapshot_difference(const struct pmu_caps *caps, const struct snapshot *from,
                                                 const struct snapshot *to);
/*
 * False if this CPU has no way to bring the entry's value back: a GP counter without full-width writes whose value is
 * not a sign-extended 32-bit one, a status bit below version 4 or one that software cannot set.
 */
bool snapshot_restorable(const struct pmu_caps *caps, const struct snapshot_entry *entry);

/* The registers of these parts that this CPU has, in the order in which they are put back, unread. Pure. */
void snapshot_list(const struct pmu_caps *caps, unsigned parts, struct snapshot *snapshot);
