/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/chapter/alias.h"
#include "pmu/cpu/counters.h"

void need_aliases(struct test *t)
{
    if (!has_aliases(t->caps))
        skip(t, "version %u, CPUID.23H.1 names counters 0x%lx: aliases need version 6 and that leaf", t->caps->version,
             t->caps->leaf23_counters);
}

unsigned alias_counters(const struct test *t, struct counter list[COUNTERS_MAX])
{
    unsigned n = 0;
    for_each_counter (t, c)
        if (aliased_counters(t->caps) >> c->bit & 1)
            list[n++] = *c;
    return n;
}

u32 msr_ctr(struct counter counter)
{
    return counter.fixed ? MSR_PMC_FX_CTR(counter.index) : MSR_PMC_GP_CTR(counter.index);
}

u32 msr_cfg_b(struct counter counter)
{
    return counter.fixed ? MSR_PMC_FX_CFG_B(counter.index) : MSR_PMC_GP_CFG_B(counter.index);
}

u32 msr_cfg_c(struct counter counter)
{
    return counter.fixed ? MSR_PMC_FX_CFG_C(counter.index) : MSR_PMC_GP_CFG_C(counter.index);
}
