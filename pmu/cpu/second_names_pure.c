#include "pmu/cpu/apebs.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/second_names.h"
#include "pmu/registers.h"

bool has_second_names(const struct pmu_caps *caps)
{
    return caps->version >= 6 && caps->leaf23_counters;
}

/* Four bits for each counter of `counters`: those of `kinds`. */
static u64 registers_of(u64 counters, u64 kinds)
{
    u64 all = 0;
    for (unsigned n = 0; n < SECOND_NAMES / SECOND_APART; n++)
        if (counters >> n & 1)
            all |= MASK(SECOND_APART * n + SECOND_APART - 1, SECOND_APART * n);
    return all & kinds;
}

u64 second_named(const struct pmu_caps *caps)
{
    return has_second_names(caps) ? caps_counter_bits(caps) & caps->leaf23_counters : 0;
}

u64 second_names_gp_sampling(const struct pmu_caps *caps)
{
    return registers_of((u32)apebs_counter_bits(caps), SECOND_CFG_C);
}

u64 second_names_fixed_sampling(const struct pmu_caps *caps)
{
    return registers_of(apebs_counter_bits(caps) >> 32, SECOND_CFG_C);
}

u64 second_names_gp(const struct pmu_caps *caps)
{
    return registers_of((u32)second_named(caps), SECOND_CTR | SECOND_CFG_A) |
           registers_of((u32)caps->reloads, SECOND_CFG_B | SECOND_CFG_C) | second_names_gp_sampling(caps);
}

/* A fixed counter has no event select: IA32_FIXED_CTR_CTRL is theirs. */
u64 second_names_fixed(const struct pmu_caps *caps)
{
    return registers_of(second_named(caps) >> 32, SECOND_CTR) |
           registers_of(caps->reloads >> 32, SECOND_CFG_B | SECOND_CFG_C) | second_names_fixed_sampling(caps);
}

u32 second_cfg_c(unsigned bit)
{
    return bit < 32 ? MSR_PMC_GP_CFG_C(bit) : MSR_PMC_FX_CFG_C(bit - 32);
}

unsigned second_cfg_c_bit(u32 msr)
{
    u32 n = (msr - MSR_PMC_GP_CFG_C(0)) / SECOND_APART, i = (msr - MSR_PMC_FX_CFG_C(0)) / SECOND_APART;
    if (n < GP_COUNTERS_MAX && msr == (u32)MSR_PMC_GP_CFG_C(n))
        return n;
    return i < FIXED_COUNTERS_MAX && msr == (u32)MSR_PMC_FX_CFG_C(i) ? 32 + i : 64;
}

u64 cfg_b_refused(const struct pmu_caps *caps)
{
    bool seen = cpu_class(caps) == CLASS_DARKMONT && caps->reloads;
    return seen ? MASK(1, 0) & ~caps->reload_causes : 0;
}
