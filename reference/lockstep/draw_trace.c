/* SPDX-License-Identifier: BSD-2-Clause */
/* Scenes of processor trace: a table, where in it the trace begins, and what it is turned on and off with. */
#include "pmu/area/trace_area.h"
#include "pmu/cpu/counters.h"
#include "pmu/registers.h"
#include "reference/lockstep/draw.h"

#define TRACE_STEPS 20
#define ENTRY_RESERVED (MASK(11, 10) | BIT(5) | BIT(3) | BIT(1))
#define NEAR_END 300 /* bytes that are left in the first region */

static void puts_entry(struct drawing *d, u32 n, u64 value)
{
    step(d, OP_POKE, LOCKSTEP_AREA + n * (u32)sizeof(u64), value);
}

static u64 region(struct drawing *d)
{
    u64 address = d->s->places.trace + TRACE_REGION_OFFSET + below(d, TRACE_REGIONS) * TRACE_REGION_BYTES;
    return address | (one_in(d, 3) ? TOPA_INT : 0) | (one_in(d, 6) ? TOPA_STOP : 0) |
           (one_in(d, 16) ? BIT(one_bit_of(d, ENTRY_RESERVED)) : 0);
}

/* Some regions and the way back to the first one; sometimes a table that the manual forbids. Returns its entries. */
static u32 table(struct drawing *d)
{
    u32 regions = trace_regions(d->s->caps) > 1 || one_in(d, 10) ? 1 + below(d, 3) : 1;
    for (u32 n = 0; n < regions; n++)
        puts_entry(d, n, region(d));
    puts_entry(d, regions,
               d->s->places.trace | TOPA_END | (one_in(d, 16) ? TOPA_INT : 0) | (one_in(d, 16) ? TOPA_STOP : 0));
    return regions + 1;
}

static u64 pointers(struct drawing *d, u32 entries)
{
    u64 offset = one_in(d, 4) ? below(d, 64) : TRACE_REGION_BYTES - below(d, NEAR_END);
    return RTIT_PTRS_OFFSET(offset) | RTIT_PTRS_INDEX((u64)(one_in(d, 3) ? below(d, entries) : 0)) |
           (one_in(d, 2) ? RTIT_PTRS_ONES : 0);
}

static u64 control(struct drawing *d)
{
    u64 levels = one_in(d, 3) ? RTIT_CTL_OS : one_in(d, 3) ? RTIT_CTL_USER : RTIT_CTL_OS | RTIT_CTL_USER;
    return RTIT_CTL_TRACE_EN | levels | (one_in(d, 12) ? 0 : RTIT_CTL_TOPA) | (one_in(d, 6) ? 0 : RTIT_CTL_BRANCH_EN) |
           (draw(d) & (RTIT_CTL_DIS_RETC | RTIT_CTL_TSC_EN));
}

bool draw_of_trace(const struct drawing *d, u32 msr)
{
    const struct register_row *row = register_row_of(d->s->caps, msr);
    return row && row->only_in == OWN_TRACE;
}

/* A value that one of the fields may have. */
static u64 some_field(struct drawing *d)
{
    struct trace_field list[TRACE_FIELDS_MAX];
    const struct trace_field *field = &list[below(d, trace_ctl_fields(d->s->caps, list))];
    return field->values ? (u64)one_bit_of(d, field->values) << __builtin_ctzll(field->bits) : 0;
}

/* The write gate lets the trace's registers lead only to its own memory. */
u64 draw_trace_value(struct drawing *d, u32 msr)
{
    if (msr == MSR_RTIT_OUTPUT_BASE)
        return one_in(d, 6) ? 0
                            : d->s->places.trace | (one_in(d, 8)   ? RTIT_BASE_RESERVED & draw(d)
                                                    : one_in(d, 8) ? BIT(8)
                                                                   : 0);
    if (msr == MSR_RTIT_OUTPUT_MASK_PTRS)
        return pointers(d, 4);
    if (msr == MSR_RTIT_CTL && one_in(d, 3))
        return control(d);
    if (msr == MSR_RTIT_CTL && !one_in(d, 3))
        return one_in(d, 2) ? some_field(d) : draw_some_bits(d, trace_ctl_bits(d->s->caps));
    if (msr - MSR_RTIT_ADDR(0) < 2 * RTIT_RANGES_MAX)
        return one_in(d, 2) ? MASK(63, 47) | draw(d) : draw(d) & MASK(46, 0);
    return draw_some_bits(d, gate_bits(d->s->caps, msr) & ~RTIT_CTL_TRACE_EN);
}

/* While the trace is on, its registers must not be written. */
static void looks_at_trace(struct drawing *d)
{
    static const u32 seen[] = {MSR_RTIT_OUTPUT_MASK_PTRS, MSR_RTIT_OUTPUT_MASK_PTRS, MSR_RTIT_STATUS,
                               MSR_RTIT_OUTPUT_BASE, MSR_RTIT_CTL};
    u32 msr = seen[below(d, ARRAY_SIZE(seen))];
    if (one_in(d, 8))
        writes(d, msr, draw_trace_value(d, msr));
    step(d, OP_RDMSR, msr, 0);
}

void draw_tracing(struct drawing *d)
{
    if (d->s->areas.trace)
        step(d, OP_TRACE, (u32)draw(d), draw(d));
    if (!d->s->places.trace || d->walk->body_count + TRACE_STEPS > WALK_BODY)
        return;
    if (one_in(d, 3)) {
        writes(d, MSR_RTIT_CTL, draw_trace_value(d, MSR_RTIT_CTL));
        step(d, OP_RDMSR, MSR_RTIT_CTL, 0);
    }
    writes(d, MSR_RTIT_CTL, one_in(d, 12) ? RTIT_CTL_OS : 0);
    if (!one_in(d, 4))
        writes(d, MSR_RTIT_STATUS, one_in(d, 6) ? draw(d) & gate_bits(d->s->caps, MSR_RTIT_STATUS) : 0);
    u32 entries = table(d);
    writes(d, MSR_RTIT_OUTPUT_BASE, draw_trace_value(d, MSR_RTIT_OUTPUT_BASE));
    writes(d, MSR_RTIT_OUTPUT_MASK_PTRS, pointers(d, entries));
    u64 on = control(d);
    writes(d, MSR_RTIT_CTL, on);
    for (u32 n = 1 + below(d, 3); n; n--) {
        draw_block(d);
        looks_at_trace(d);
    }
    if (one_in(d, 2))
        writes(d, MSR_RTIT_CTL, one_in(d, 2) ? 0 : on & ~RTIT_CTL_TRACE_EN);
}
