/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Updates of microcode, as Intel publishes them: files of one update or of several, one after the other. The check of a
 * file is pure, and a file with any error is not used. SDM 3A, "Microcode Update Facilities".
 */
#pragma once

#include "kernel/register/msr.h"

/* The CPU that an update must match. */
struct microcode_cpu {
    u32 signature; /* CPUID.1:EAX */
    u32 platform;  /* 0 to 7: IA32_PLATFORM_ID[52:50] */
    u32 revision;  /* its present revision */
};

struct microcode_update {
    const void *file; /* the file with the update */
    u64 size;         /* bytes of the file */
    const void *data; /* the update's data after its header: its address is given to the CPU */
    u32 revision;
    u32 date; /* in BCD, month, day, year: 0x06182026 */
};

#define MICROCODE_TEXT 160

/* Revisions are signed: CPUs before their release have negative ones. */
static inline bool microcode_newer(u32 revision, u32 than)
{
    return (s32)revision > (s32)than;
}

/*
 * Finds the newest update in the file that may be loaded into the CPU. Returns NULL, or what is wrong, in `text` of
 * MICROCODE_TEXT bytes: any part of the file is damaged, it has no update for this CPU, or none that is newer.
 */
const char *microcode_choose(const void *file, u64 size, const struct microcode_cpu *cpu,
                             struct microcode_update *update, char *text);

/* The option microcode: without it the write gate allows no update. */
bool microcode_requested(void);
/* The calling CPU, with its revision; 0: it states none. */
struct microcode_cpu microcode_of_cpu(void);
u32 microcode_revision(void);
