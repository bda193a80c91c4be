#include "pmu/second_names.h"

bool has_second_names(const struct pmu_caps *caps)
{
    return caps->version >= 6 && caps_leaf23_used(caps);
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

u64 second_names_gp(const struct pmu_caps *caps)
{
    u64 names = has_second_names(caps) ? registers_of(caps->gp_bitmap, SECOND_CTR | SECOND_CFG_A) : 0;
    return names | registers_of((u32)caps->reloads, SECOND_CFG_B | SECOND_CFG_C);
}

/* A fixed counter has no event select: IA32_FIXED_CTR_CTRL is theirs. */
u64 second_names_fixed(const struct pmu_caps *caps)
{
    u64 names = has_second_names(caps) ? registers_of(caps->fixed_bitmap, SECOND_CTR) : 0;
    return names | registers_of(caps->reloads >> 32, SECOND_CFG_B | SECOND_CFG_C);
}
