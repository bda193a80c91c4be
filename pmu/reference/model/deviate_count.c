/* Deviations of counting. Asked only in runs that have a deviation. */
#include "pmu/reference/model/model_state.h"

/* A deterministic bit that looks random (xorshift). */
static bool coin(struct model *m)
{
    m->random ^= m->random << 13;
    m->random ^= m->random >> 17;
    m->random ^= m->random << 5;
    return m->random & 1;
}

static bool starts_fixed0(const struct model *m, const struct retired *in, const struct counting *c)
{
    return c->bit == 32 && in->kind == RETIRED_WRMSR && (m->started & STATUS_FIXED(0));
}

static uint32_t deviate_instructions(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    if (m->retired % 16 == 0 && deviates(m, DEV_INST_RETIRED_DRIFTS))
        return coin(m) || coin(m) ? 2 : 0;
    if (m->retired % 32 == 0 && deviates(m, DEV_INST_RETIRED_UNDERCOUNTS))
        return 0;
    if (m->retired % 4 == 0 && last_cpu(m) && deviates(m, DEV_ONE_CPU_COUNTS_DOUBLE))
        return 2 * n;
    if (starts_fixed0(m, in, c) && deviates(m, DEV_FIXED0_ONE_LESS))
        return 0;
    if (starts_fixed0(m, in, c) && deviates(m, DEV_FIXED0_PLUS_32))
        return n + 32;
    return n;
}

static uint32_t deviate_branches(struct model *m, const struct retired *in, uint32_t n)
{
    if (!n)
        return deviates(m, DEV_BRANCHES_COUNT_INSTRUCTIONS);
    if (!in->taken && deviates(m, DEV_BRANCHES_NOT_TAKEN_MISSED))
        return 0;
    if (in->taken && deviates(m, DEV_BRANCHES_TAKEN_TWICE))
        return 2 * n;
    if (m->cpu && m->branches % 8 == 0 && deviates(m, DEV_BR_RETIRED_WRONG_ON_LP1))
        return 0;
    return n;
}

uint32_t model_deviate_count(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    if (c->bit == m->p.gp_count - 1u && deviates(m, DEV_LAST_GP_DEAD))
        return 0;
    if (c->bit == 32 && deviates(m, DEV_FIXED0_DEAD))
        return 0;
    if (c->rings == RING_USR && deviates(m, DEV_USR_COUNTS_NOTHING))
        return 0;
    if (c->invert && m->retired % 5 == 0 && deviates(m, DEV_INV_OVERCOUNTS))
        return n + 1;
    switch (c->event) {
    case EVENT_INSTRUCTIONS:
        return deviate_instructions(m, in, c, n);
    case EVENT_BRANCHES:
        return deviate_branches(m, in, n);
    case EVENT_CORE_CYCLES:
        return deviates(m, DEV_CYCLES_STOP) ? 0 : n;
    }
    return n;
}

/* Does the counter count in a ring that its filter excludes? */
bool model_deviate_ring(struct model *m, const struct counting *c)
{
    return c->rings == RING_OS ? deviates(m, DEV_OS_COUNTS_IN_USER) : deviates(m, DEV_USR_COUNTS_IN_OS);
}

uint64_t model_deviate_sum(struct model *m, uint64_t old, uint64_t sum)
{
    bool carry = (old ^ sum) & BIT(32);
    return carry && deviates(m, DEV_CARRY_LOST_AT_BIT_32) ? sum - BIT(32) : sum;
}
