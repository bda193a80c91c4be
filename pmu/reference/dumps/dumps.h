/*
 * Reference PMUs of CPUs that somebody has dumped. Each is the profile most like it, with what the dump says in place
 * of the profile's: identity, leaves 0AH, 1AH and 23H, counters, events, and where it tells them IA32_PERF_CAPABILITIES
 * and IA32_MISC_ENABLE. Whatever else the profile says is assumed of such a CPU. Pure.
 *
 * The tables are made of cpus.txt, which says where each row is from, by tools/build/dumps.awk.
 */
#pragma once

#include "pmu/reference/model/profile.h"

#define DUMPED_CORES_MOST 3 /* kinds of core in a CPU */

/* What CPUID.1 says, and which registers the dump has. */
enum dumped_flags {
    DUMPED_PDCM = 1,
    DUMPED_DTES64 = 2,
    DUMPED_DS = 4,
    DUMPED_PERFCAP = 8,
    DUMPED_MISC_ENABLE = 16,
};

/* A sub-leaf of leaf 23H. */
struct dumped_leaf {
    uint32_t subleaf, value[4]; /* EAX, EBX, ECX, EDX */
};

/* One kind of core. */
struct dumped_core {
    const char *like; /* name of the profile */
    uint8_t kind;     /* which of its kinds of core, from 0 on */
    uint8_t flags;
    uint8_t first_leaf, leaves; /* of dumped_leaves */
    uint32_t leaf1a;            /* EAX */
    uint32_t max_leaf, perfcap;
    uint64_t misc_enable;
};

struct dumped_cpu {
    const char *name; /* the dump's own, lower-case */
    uint32_t signature, leaf0a[4];
    uint8_t number; /* from 1 on, of those with this signature */
    uint8_t first_core, cores;
};

extern const struct dumped_leaf dumped_leaves[];
extern const struct dumped_core dumped_cores[];
extern const struct dumped_cpu dumped_cpus[];
extern const unsigned dumped_cpu_count;

/*
 * Makes the CPU's profile in `room`, a struct profile for each of its kinds of core, and returns the first; the others
 * hang on it as in a hybrid's profile. NULL: there is no profile like it, which the host tests rule out.
 */
const struct profile *dump_profile(const struct dumped_cpu *cpu, struct profile room[DUMPED_CORES_MOST]);
/* The profile that the CPU's first kind of core is like; NULL likewise. */
const struct profile *dump_like(const struct dumped_cpu *cpu);
/* What the dump does not tell of this kind of core and the log shows all the same: words between blanks. */
const char *dump_assumed(const struct dumped_core *core);
