/* SPDX-License-Identifier: BSD-2-Clause */
#include "reference/step/trap/stepped.h"
#include "kernel/register/cpuid.h"

static struct stepped *all[MAX_CPUS];

struct stepped *stepped_of(u32 cpu)
{
    return all[cpu];
}

struct stepped *stepped(void)
{
    return all[cpu_index()];
}

void stepped_keep(struct stepped *s)
{
    all[s->cpu] = s;
}
