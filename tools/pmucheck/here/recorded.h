/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Recorded answers of CPUs, a line each: "CPU LEAF SUBLEAF EAX EBX ECX EDX" of CPUID, "CPU MSR VALUE" or "CPU MSR
 * fault" of RDMSR. CPUs are decimal, all else hexadecimal without 0x; "*" is every CPU that has no line of its own for
 * that leaf or register. Empty lines and those that begin with # are left out. Pure: works on text in memory.
 */
#pragma once

#include "boot/cpuid.h"
#include "tools/arena.h"
#include <stdbool.h>

#define RECORDED_EVERY (~0u) /* the CPU "*" */

struct recorded_leaf {
    unsigned cpu;
    u32 leaf, subleaf;
    struct cpuid_regs regs;
};

struct recorded_msr {
    unsigned cpu;
    u32 msr;
    bool fault;
    u64 value;
};

struct recorded_cpus {
    LIST(struct recorded_leaf) leaves;
    LIST(struct recorded_msr) msrs;
};

/* Each returns the number of the first wrong line; 0: all are right. */
unsigned recorded_read_cpuid(struct arena *arena, struct recorded_cpus *cpus, const char *text, size_t size);
unsigned recorded_read_msr(struct arena *arena, struct recorded_cpus *cpus, const char *text, size_t size);
/* The line for it; NULL if there is none. */
const struct recorded_leaf *recorded_leaf(const struct recorded_cpus *cpus, unsigned cpu, u32 leaf, u32 subleaf);
const struct recorded_msr *recorded_msr(const struct recorded_cpus *cpus, unsigned cpu, u32 msr);
