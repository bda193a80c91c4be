/*
 * PMU registers and LVTPC saved, compared and put back. One table says which registers exist for which capabilities,
 * which of their bits are compared (moving and unrestorable bits are not) and how each is restored.
 */
#pragma once

#include "pmu/caps.h"

#define SNAPSHOT_MAX 96

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
/* The first register whose compared bits differ between the two, or NULL; `from` and `to` are of the same CPU. */
const struct snapshot_entry *snapshot_difference(const struct pmu_caps *caps, const struct snapshot *from,
                                                 const struct snapshot *to);
/* Puts the calling CPU's registers back. Returns how many could not be restored (listed, not judged). */
unsigned snapshot_restore(const struct pmu_caps *caps, const struct snapshot *snapshot);
/* SDM name of a PMU register: "IA32_PERF_GLOBAL_CTRL", "IA32_PERFEVTSEL3", "LVTPC"; text holds REGISTER_NAME_SIZE
 * bytes. */
#define REGISTER_NAME_SIZE 40
const char *register_name(u32 msr, char *text);
