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
