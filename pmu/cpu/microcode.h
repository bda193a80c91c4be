/*
 * Updates of microcode, as Intel publishes them: files of one update or of several, one behind the other. The look at a
 * file is pure, and is all that is done with one that has anything wrong. SDM 3A, "Microcode Update Facilities".
 */
#pragma once

#include "kernel/register/fault.h"

/* What an update must be for. */
struct microcode_cpu {
    u32 signature; /* CPUID.1:EAX */
    u32 platform;  /* 0 to 7: IA32_PLATFORM_ID[52:50] */
    u32 revision;  /* that it has now */
};

struct microcode_update {
    const void *file; /* in which it is */
    u64 size;         /* of the file, in bytes */
    const void *data; /* what the CPU is told of: it stands behind the header */
    u32 revision;
    u32 date; /* in BCD, month, day, year: 0x06182026 */
};

#define MICROCODE_TEXT 160

/* Revisions are signed: those of CPUs before their release are below 0. */
static inline bool microcode_newer(u32 revision, u32 than)
{
    return (s32)revision > (s32)than;
}

/*
 * The newest update in the file that the CPU can be given. NULL, or in words what is wrong, in `text` of MICROCODE_TEXT
 * bytes: the file is damaged anywhere, has none for this CPU, or none that is newer.
 */
const char *microcode_choose(const void *file, u64 size, const struct microcode_cpu *cpu,
                             struct microcode_update *update, char *text);

/* Option microcode: without it the write gate lets no update pass. */
bool microcode_asked(void);
/* The calling CPU's, and the revision that it tells; 0: it tells none. */
struct microcode_cpu microcode_of_cpu(void);
u32 microcode_revision(void);
/*
 * Gives the calling CPU the update that was chosen for it, after another look at the whole file: what ran since may
 * have written there. Nothing of the core may run beside it. NULL, or why nothing was written, in `text` of
 * MICROCODE_TEXT bytes. What becomes of it microcode_revision() tells: a CPU that refuses an update need not fault.
 */
const char *microcode_load(const struct microcode_update *update, char *text, fault_t *fault);
/* For the write gate: is this the update that the calling CPU is being given? */
bool microcode_offered(u64 address);
