/* SPDX-License-Identifier: BSD-2-Clause */
/* What several scenes use: values of registers, and single steps. */
#include "pmu/cpu/counters.h"
#include "pmu/registers.h"
#include "reference/lockstep/draw.h"

/* Some events before the lower half, or all bits but the highest, run over, which is no overflow. */
u64 draw_before_carry(struct drawing *d, unsigned width)
{
    u64 carry = one_in(d, 3) ? BIT(width - 1) : (draw(d) & counter_mask(width - 1) & ~MASK(31, 0)) + BIT(32);
    return width > 32 ? carry - 1 - below(d, one_in(d, 2) ? 3 : NEAR_MOST) : carry;
}

u64 draw_value(struct drawing *d, unsigned width, bool exact)
{
    u64 most = counter_mask(width);
    switch (below(d, 9)) {
    case 0: /* or the upper half alone */
        return one_in(d, 2) ? 0 : draw(d) & most >> 2 & ~MASK(31, 0);
    case 1:
        return draw(d) & most >> 1;
    case 3:
        return draw_before_carry(d, width) & most;
    case 2:
        return exact ? most : 1;
    default:
        return exact ? most - below(d, NEAR_MOST) : draw(d) & most >> 2;
    }
}

/* Writes a GP counter with all its bits if there is such a name of it, else the lower ones. */
void draw_gp_value_of(struct drawing *d, unsigned n, u64 value)
{
    if (d->s->caps->full_width)
        writes(d, MSR_A_PMC(n), value);
    else
        writes(d, MSR_PMC(n), value & MASK(31, 0));
}

u64 draw_rings(struct drawing *d)
{
    static const u64 values[] = {EVTSEL_OS | EVTSEL_USR, EVTSEL_OS | EVTSEL_USR, EVTSEL_OS, EVTSEL_USR, 0};
    return values[below(d, ARRAY_SIZE(values))];
}

bool draw_is_exact(unsigned bit)
{
    return bit <= 32 + FIXED_INSTRUCTIONS;
}

/* The low half of CFG_C: a reload value near the overflow, or far from it. */
u64 draw_reload_value(struct drawing *d, unsigned bit)
{
    if (!draw_is_exact(bit))
        return draw(d) & CFG_C_RELOAD >> 1;
    return one_in(d, 6) ? draw(d) & CFG_C_RELOAD : (CFG_C_RELOAD - below(d, 4 * NEAR_MOST)) & CFG_C_RELOAD;
}

u64 draw_some_bits(struct drawing *d, u64 bits)
{
    switch (below(d, 5)) {
    case 0:
        return 0;
    case 1:
        return bits;
    case 2:
        return bits ? BIT(one_bit_of(d, bits)) : 0;
    default:
        return draw(d) & bits;
    }
}

/*
 * On NetBurst replay tagging stays off, as no manual defines which uops miss. An event that is drawn bit by bit stays
 * off. Records have no values of counters that cycles move.
 */
u64 draw_bits_of(struct drawing *d, u32 msr)
{
    u64 bits = gate_bits(d->s->caps, msr);
    if (d->s->netburst)
        return msr == MSR_PEBS_ENABLE ? bits & ~PEBS_UOP_TAG : bits;
    if (msr == MSR_PEBS_DATA_CFG)
        return bits & ~(PEBS_DATA_METRICS | MASK(63, 49) | MASK(31, 29)); /* up to 32 branch records */
    return alias_number(msr, MSR_PMC_GP_CFG_A(0), GP_COUNTERS_MAX) != 64 ? bits & ~EVTSEL_EN : bits;
}

u64 draw_debugctl_rest(const struct space *s)
{
    u64 rest = 0;
    space_rest(s, MSR_DEBUGCTL, &rest);
    return rest;
}

void draw_settle(struct drawing *d)
{
    step(d, OP_SETTLE, 0, 0);
}

void draw_block(struct drawing *d)
{
    static const u32 ops[] = {OP_LOOP, OP_LOOP, OP_LOOP, OP_BRANCHES, OP_BRANCHES, OP_STRAIGHT, OP_MEMORY, OP_STRING};
    u32 op = ops[below(d, ARRAY_SIZE(ops))];
    step(d, op, op == OP_LOOP ? 1 + below(d, TURNS_MOST) : 0, 0);
}
