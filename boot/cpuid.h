/* SPDX-License-Identifier: BSD-2-Clause */
/* What a leaf of CPUID answers, and how a bit of boot/cpu.h is found in it. Pure: asking is kernel/register/cpuid.h. */
#pragma once

#include "boot/bits.h"
#include "boot/cpu.h"

struct cpuid_regs {
    u32 eax, ebx, ecx, edx;
};

/* The bit, CPUID_PDCM and the like, in what its leaf and sub-leaf answered. */
static inline bool cpuid_regs_have(const struct cpuid_regs *leaf, u32 bit)
{
    const u32 registers[] = {leaf->eax, leaf->ebx, leaf->ecx, leaf->edx};
    return registers[CPUID_BIT_REGISTER(bit)] & CPUID_BIT_MASK(bit);
}

/* Does leaf 0 name the vendor "GenuineIntel"? */
static inline bool cpuid_is_intel(const struct cpuid_regs *leaf0)
{
    return leaf0->ebx == 0x756e6547 && leaf0->edx == 0x49656e69 && leaf0->ecx == 0x6c65746e;
}
