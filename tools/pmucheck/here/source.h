/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where answers about a machine come from: this machine, or a folder that has them recorded. Nothing here can write: a
 * source only reads files, asks CPUID, and reads registers.
 */
#pragma once

#include "boot/cpuid.h"
#include "tools/arena.h"
#include <stdbool.h>

/* HERE_CLOSED: nobody may ask, for want of a driver or of rights. */
enum here_answer { HERE_READ, HERE_FAULT, HERE_CLOSED };

struct here_source {
    const char *root; /* before "/proc", "/sys" and "/dev": "" on this machine */
    void *context;
    /* What CPUID answers on that CPU, whatever leaf; zeros if that CPU cannot be asked. */
    struct cpuid_regs (*cpuid)(void *context, unsigned cpu, u32 leaf, u32 subleaf);
    /* RDMSR on that CPU. Only for registers that here_may_read() allows. */
    enum here_answer (*msr)(void *context, unsigned cpu, u32 msr, u64 *value);
};

/* This machine: CPUID on each CPU that this process may use, registers by the driver msr. */
extern const struct here_source here_machine;
/* Gives back what the source of this machine has changed of the process: the CPUs that it may run on. */
void here_machine_close(void);

/*
 * A folder: below it files as in /proc and /sys, and two texts, "cpuid" and "msr" (recorded.h). False, with the reason
 * in *error, if it has no CPUID or a line is wrong. What it allocates is the arena's.
 */
bool here_recorded(struct arena *arena, const char *directory, struct here_source *source, const char **error);

/* The beginning of the file at this path, "/proc/cpuinfo", without the white space at its end; "" if it cannot be read.
 */
const char *here_file(const struct here_source *source, const char *path, char *text, size_t size);
/* The path in the source. */
const char *here_path(const struct here_source *source, struct arena *arena, const char *path);
