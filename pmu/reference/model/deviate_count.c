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

/* Instructions that one of these counts once too often. */
static bool counts_again(struct model *m, const struct retired *in, const struct counting *c)
{
    bool far = in->kind == RETIRED_FAR_BRANCH || in->kind == RETIRED_IRET;
    if (in->kind == RETIRED_REP_STRING && deviates(m, DEV_REP_MOVS_OVERCOUNTS))
        return true;
    if (in->kind == RETIRED_IRET && deviates(m, DEV_IRET_COUNTED_TWICE))
        return true;
    if (far && deviates(m, DEV_FAR_TRANSFER_OVERCOUNTS))
        return true;
    if (c->any && deviates(m, DEV_ANYTHREAD_RETIRED_WRONG))
        return true;
    return m->interrupted == 1 && deviates(m, DEV_INTERRUPT_COUNTED_PLUS_ONE);
}

/* The privilege level changes in this instruction, and the counter's filter is for one of the two. */
static bool lost_at_transition(struct model *m, const struct retired *in, const struct counting *c)
{
    bool one_ring = c->rings == RING_OS || c->rings == RING_USR;
    return one_ring && !in->cpl != !in->cpl_after && deviates(m, DEV_CPL_FILTER_LOSES_AT_TRANSITION);
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
    return counts_again(m, in, c) ? n + 1 : n;
}

static uint32_t deviate_branches(struct model *m, const struct retired *in, uint32_t n)
{
    bool far = in->kind == RETIRED_FAR_BRANCH || in->kind == RETIRED_IRET;
    if (in->kind == RETIRED_CPUID && deviates(m, DEV_CPUID_COUNTED_AS_BRANCH))
        return 1;
    if (!n)
        return deviates(m, DEV_BRANCHES_COUNT_INSTRUCTIONS);
    if (far && (deviates(m, DEV_FAR_BRANCH_EXTRA_IN_C4) || deviates(m, DEV_FAR_TRANSFER_OVERCOUNTS)))
        return n + 1;
    if (!in->taken && deviates(m, DEV_BRANCHES_NOT_TAKEN_MISSED))
        return 0;
    if (in->taken && deviates(m, DEV_BRANCHES_TAKEN_TWICE))
        return 2 * n;
    if (m->cpu && m->branches % 8 == 0 && deviates(m, DEV_BR_RETIRED_WRONG_ON_LP1))
        return 0;
    return n;
}

static uint32_t deviate_llc(struct model *m, uint32_t n)
{
    if (n && deviates(m, DEV_LLC_DOUBLE))
        return 2 * n;
    return m->retired % 8 == 0 && deviates(m, DEV_LLC_INEXACT) ? n + coin(m) : n;
}

uint32_t model_deviate_count(struct model *m, const struct retired *in, const struct counting *c, uint32_t n)
{
    if (c->bit == m->p.gp_count - 1u && deviates(m, DEV_LAST_GP_DEAD))
        return 0;
    if (c->bit == 32 && deviates(m, DEV_FIXED0_DEAD))
        return 0;
    if (c->rings == RING_USR && deviates(m, DEV_USR_COUNTS_NOTHING))
        return 0;
    if (c->bit >= 4 && c->bit <= 7 && c->rings == RING_USR && deviates(m, DEV_PMC4_7_DEAD_USR_ONLY))
        return 0;
    if (lost_at_transition(m, in, c))
        return 0;
    if (c->invert && m->retired % 5 == 0 && deviates(m, DEV_INV_OVERCOUNTS))
        return n + 1;
    switch (c->event) {
    case EVENT_INSTRUCTIONS:
        return deviate_instructions(m, in, c, n);
    case EVENT_BRANCHES:
        return deviate_branches(m, in, n);
    case EVENT_LLC_REFERENCE:
    case EVENT_LLC_MISS:
        return deviate_llc(m, n);
    case EVENT_CORE_CYCLES:
        return deviates(m, DEV_CYCLES_STOP) ? 0 : n;
    case EVENT_SLOTS:
        return deviates(m, DEV_SLOTS_DEAD) ? 0 : n;
    }
    return n;
}

/* Does the counter count in a ring that its filter excludes? */
bool model_deviate_ring(struct model *m, const struct counting *c)
{
    if (c->invert && c->rings && deviates(m, DEV_INV_CMASK_COUNTS_OTHER_CPL))
        return true;
    return c->rings == RING_OS ? deviates(m, DEV_OS_COUNTS_IN_USER) : deviates(m, DEV_USR_COUNTS_IN_OS);
}

uint64_t model_deviate_sum(struct model *m, uint64_t old, uint64_t sum)
{
    bool carry = (old ^ sum) & BIT(32);
    return carry && deviates(m, DEV_CARRY_LOST_AT_BIT_32) ? sum - BIT(32) : sum;
}

/* Those above: under any other, every instruction counts as it does without. */
bool model_counts_differ(int deviation)
{
    switch (deviation) {
    case DEV_REP_MOVS_OVERCOUNTS:
    case DEV_IRET_COUNTED_TWICE:
    case DEV_FAR_TRANSFER_OVERCOUNTS:
    case DEV_ANYTHREAD_RETIRED_WRONG:
    case DEV_INTERRUPT_COUNTED_PLUS_ONE:
    case DEV_CPL_FILTER_LOSES_AT_TRANSITION:
    case DEV_INST_RETIRED_DRIFTS:
    case DEV_INST_RETIRED_UNDERCOUNTS:
    case DEV_ONE_CPU_COUNTS_DOUBLE:
    case DEV_FIXED0_ONE_LESS:
    case DEV_FIXED0_PLUS_32:
    case DEV_CPUID_COUNTED_AS_BRANCH:
    case DEV_BRANCHES_COUNT_INSTRUCTIONS:
    case DEV_FAR_BRANCH_EXTRA_IN_C4:
    case DEV_BRANCHES_NOT_TAKEN_MISSED:
    case DEV_BRANCHES_TAKEN_TWICE:
    case DEV_BR_RETIRED_WRONG_ON_LP1:
    case DEV_LLC_DOUBLE:
    case DEV_LLC_INEXACT:
    case DEV_LAST_GP_DEAD:
    case DEV_FIXED0_DEAD:
    case DEV_USR_COUNTS_NOTHING:
    case DEV_PMC4_7_DEAD_USR_ONLY:
    case DEV_INV_OVERCOUNTS:
    case DEV_CYCLES_STOP:
    case DEV_SLOTS_DEAD:
    case DEV_INV_CMASK_COUNTS_OTHER_CPL:
    case DEV_OS_COUNTS_IN_USER:
    case DEV_USR_COUNTS_IN_OS:
    case DEV_CARRY_LOST_AT_BIT_32:
        return true;
    }
    return false;
}
