/* SPDX-License-Identifier: BSD-2-Clause */
/* Per-CPU variables. */
#include "kernel/core/memory.h"
#include "kernel/cpu/cpus.h"
#include "kernel/register/cpuid.h"

extern u8 per_cpu_start[], per_cpu_end[]; /* the boot CPU's variables */

static u64 distance[MAX_CPUS]; /* from the boot CPU's variables; 0 for the boot CPU */

u64 per_cpu_at(u64 variable, u32 cpu)
{
    return variable + distance[cpu];
}

bool per_cpu_create(u32 cpu)
{
    u64 size = (u64)(per_cpu_end - per_cpu_start);
    if (!cpu || distance[cpu])
        return true;
    u8 *own = pages_alloc((size + PAGE_SIZE - 1) / PAGE_SIZE);
    if (own)
        distance[cpu] = (u64)own - (u64)per_cpu_start;
    return own;
}
