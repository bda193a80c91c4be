/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reference PMUs of CPUs whose dumps were published. Each is the most similar profile, with the dump's values in place
 * of the profile's: identity, leaves 0AH, 1AH and 23H, counters, events, and if the dump has them
 * IA32_PERF_CAPABILITIES and IA32_MISC_ENABLE. Everything else in the profile is assumed of the CPU. Pure.
 *
 * From cpus.txt, which has the source of each row, tools/build/dumps.awk makes profiles that are like others; these are
 * compiled like all profiles, and packed.
 */
#pragma once

#include "reference/handed/handed.h"

#define DUMPED_CORES_MOST 3 /* kinds of core in a CPU, at most */
#define DUMPED_NAME 12

/* One kind of core. */
struct dumped_core {
    const char *like; /* name of the profile */
    uint8_t kind;     /* which of that profile's kinds of core, from 0 on */
    uint8_t words;
    uint16_t first_word;
};

struct dumped_cpu {
    char name[DUMPED_NAME]; /* CPUID.1:EAX in hex; if several CPUs have the same, a dot and a number follow */
    uint8_t first_core, cores;
};

extern const struct packed_word dumped_words[];
extern const char dumped_texts[];
extern const uint32_t dumped_texts_size;
extern const struct dumped_core dumped_cores[];
extern const struct dumped_cpu dumped_cpus[];
extern const unsigned dumped_cpu_count;

/*
 * Makes the CPU's profile in `room`, a struct profile for each of its kinds of core, and returns the first; the others
 * are linked to it as in a hybrid's profile. Its brand is the dump's name. NULL: no profile is like it, which the host
 * tests rule out.
 */
const struct profile *dump_profile(const struct dumped_cpu *cpu, struct profile room[DUMPED_CORES_MOST]);
/* The profile that the CPU's first kind of core is like; NULL: the same. */
const struct profile *dump_like(const struct dumped_cpu *cpu);
