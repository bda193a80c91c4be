/* SPDX-License-Identifier: BSD-2-Clause */
/* This machine as a source of answers. */
#define _GNU_SOURCE /* sched_setaffinity() */
#include "tools/pmucheck/here/source.h"
#include "tools/text_file.h"
#include <cpuid.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define NO_CPU (~0u)

static struct {
    cpu_set_t before;
    bool moved;
    unsigned on;      /* the CPU that this thread runs on alone; NO_CPU: none was chosen */
    unsigned open_of; /* the CPU whose driver is open */
    int file;
} own = {.on = NO_CPU, .open_of = NO_CPU, .file = -1};

static bool move_to(unsigned cpu)
{
    cpu_set_t one;
    if (own.on == cpu)
        return true;
    own.moved = own.moved || sched_getaffinity(0, sizeof(own.before), &own.before) == 0;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    own.on = cpu < CPU_SETSIZE && sched_setaffinity(0, sizeof(one), &one) == 0 ? cpu : NO_CPU;
    return own.on == cpu;
}

static struct cpuid_regs machine_cpuid(void *unused, unsigned cpu, u32 leaf, u32 subleaf)
{
    struct cpuid_regs regs = {0};
    (void)unused;
    if (move_to(cpu))
        __cpuid_count(leaf, subleaf, regs.eax, regs.ebx, regs.ecx, regs.edx);
    return regs;
}

/* The driver reads the register whose number is the place in its file, and gives EIO if RDMSR faults. */
static enum here_answer machine_msr(void *unused, unsigned cpu, u32 msr, u64 *value)
{
    char path[40];
    (void)unused;
    if (own.open_of != cpu) {
        if (own.file >= 0)
            close(own.file);
        snprintf(path, sizeof(path), "/dev/cpu/%u/msr", cpu);
        own.file = open(path, O_RDONLY | O_CLOEXEC);
        own.open_of = cpu;
    }
    if (own.file < 0)
        return HERE_CLOSED;
    if (pread(own.file, value, sizeof(*value), msr) == (ssize_t)sizeof(*value))
        return HERE_READ;
    return errno == EIO ? HERE_FAULT : HERE_CLOSED;
}

const struct here_source here_machine = {"", NULL, machine_cpuid, machine_msr};

void here_machine_close(void)
{
    if (own.file >= 0)
        close(own.file);
    if (own.moved)
        sched_setaffinity(0, sizeof(own.before), &own.before);
    own.moved = false;
    own.on = own.open_of = NO_CPU;
    own.file = -1;
}

const char *here_path(const struct here_source *source, struct arena *arena, const char *path)
{
    return arena_print(arena, "%s%s", source->root, path);
}

const char *here_file(const struct here_source *source, const char *path, char *text, size_t size)
{
    return text_file_start(source->root, path, text, size);
}
