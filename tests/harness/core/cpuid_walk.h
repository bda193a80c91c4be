/* SPDX-License-Identifier: BSD-2-Clause */
/* Which leaves and sub-leaves CPUID has. Pure: the caller supplies the instruction. SDM 2A, "CPUID". */
#pragma once

#include "boot/bits.h"

struct cpuid_entry {
    u32 leaf, subleaf;
    u32 value[4]; /* EAX, EBX, ECX, EDX */
};

typedef void (*cpuid_function)(u32 leaf, u32 subleaf, u32 value[4]);

/* Stores all leaves of the basic, hypervisor and extended ranges, at most `most` entries; returns their number. */
unsigned cpuid_walk(cpuid_function ask, struct cpuid_entry *entries, unsigned most);
