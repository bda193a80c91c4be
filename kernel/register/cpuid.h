/* SPDX-License-Identifier: BSD-2-Clause */
/* Questions to CPUID, by the bits' names in boot/cpu.h. */
#pragma once

#include "boot/bits.h"
#include "boot/cpu.h"
#include "kernel/register/instructions.h"

/* Does this leaf exist? Basic leaves and extended ones (80000000H and up) each have a highest leaf. */
static inline bool cpuid_has_leaf(u32 leaf)
{
    return cpuid(leaf & 0x80000000u, 0).eax >= leaf;
}

/*
 * Is the bit set, CPUID_HYPERVISOR and the like? False if the leaf or subleaf does not exist. A subleaf other than 0
 * only for leaves that state their highest subleaf in EAX of subleaf 0.
 */
static inline bool cpuid_has(u32 bit)
{
    u32 leaf = CPUID_BIT_LEAF(bit), subleaf = CPUID_BIT_SUBLEAF(bit);
    if (!cpuid_has_leaf(leaf) || (subleaf && cpuid(leaf, 0).eax < subleaf))
        return false;
    struct cpuid_regs answer = cpuid(leaf, subleaf);
    return cpuid_regs_have(&answer, bit);
}

/* ---- The number of the calling CPU. */

/* CPU numbers are below this; the memory of each CPU is allocated when it is created. */
#define MAX_CPUS 1024

/* The number of the CPU that calls. Cheap (STR), valid in interrupt handlers. */
u32 cpu_index(void);
/* False: the calling CPU has no task state yet, and thus no number. */
bool cpu_has_index(void);
/* Called once the boot CPU, as the first, has its task register: until then no CPU has a number, whatever TR holds. */
void cpu_numbered(void);
