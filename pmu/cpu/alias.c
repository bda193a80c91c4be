/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Version 6 has an alias of each counter: four registers per GP counter from 1900H on, and per fixed counter from 1980H
 * on.
 */
#include "pmu/cpu/class.h"
#include "pmu/cpu/counters.h"
#include "pmu/cpu/pebs.h"
#include "pmu/registers.h"

bool has_aliases(const struct pmu_caps *caps)
{
    return caps->version >= 6 && caps->leaf23_counters;
}

u64 aliased_counters(const struct pmu_caps *caps)
{
    return has_aliases(caps) ? caps_counter_bits(caps) & caps->leaf23_counters : 0;
}

u32 alias_cfg_b(unsigned bit)
{
    return bit < 32 ? MSR_PMC_GP_CFG_B(bit) : MSR_PMC_FX_CFG_B(bit - 32);
}

u32 alias_cfg_c(unsigned bit)
{
    return bit < 32 ? MSR_PMC_GP_CFG_C(bit) : MSR_PMC_FX_CFG_C(bit - 32);
}

unsigned alias_number(u32 msr, u32 first, unsigned count)
{
    u32 distance = msr - first;
    return distance < ALIAS_APART * count && !(distance % ALIAS_APART) ? distance / ALIAS_APART : 64;
}

static unsigned bit_of(u32 msr, u32 first_gp, u32 first_fixed)
{
    unsigned n = alias_number(msr, first_gp, GP_COUNTERS_MAX);
    unsigned i = alias_number(msr, first_fixed, FIXED_COUNTERS_MAX);
    return n != 64 || i == 64 ? n : 32 + i;
}

unsigned alias_value_bit(u32 msr)
{
    if (msr - MSR_PMC(0) < GP_COUNTERS_MAX)
        return msr - MSR_PMC(0);
    if (msr - MSR_A_PMC(0) < GP_COUNTERS_MAX)
        return msr - MSR_A_PMC(0);
    if (msr - MSR_FIXED_CTR(0) < FIXED_COUNTERS_MAX)
        return 32 + msr - MSR_FIXED_CTR(0);
    return bit_of(msr, MSR_PMC_GP_CTR(0), MSR_PMC_FX_CTR(0));
}

unsigned alias_cfg_b_bit(u32 msr)
{
    return bit_of(msr, MSR_PMC_GP_CFG_B(0), MSR_PMC_FX_CFG_B(0));
}

unsigned alias_cfg_c_bit(u32 msr)
{
    return bit_of(msr, MSR_PMC_GP_CFG_C(0), MSR_PMC_FX_CFG_C(0));
}

u64 cfg_b_refused(const struct pmu_caps *caps)
{
    bool seen = cpu_class(caps) == CLASS_DARKMONT && caps->reloads;
    return seen ? MASK(1, 0) & ~caps->reload_causes : 0;
}
