/* SPDX-License-Identifier: BSD-2-Clause */
/* Scenes of other registers: freezing, branch records, and any writable register with any of its bits. */
#include "pmu/cpu/class.h"
#include "pmu/cpu/counters.h"
#include "pmu/registers.h"
#include "reference/lockstep/draw.h"

void draw_debugctl(struct drawing *d)
{
    u64 bits = gate_bits(d->s->caps, MSR_DEBUGCTL);
    u64 value = draw(d) & bits;
    if (d->s->records && one_in(d, 2))
        value |= DEBUGCTL_LBR;
    else
        value &= ~DEBUGCTL_LBR;
    writes(d, MSR_DEBUGCTL, draw_debugctl_rest(d->s) | value);
}

void draw_records(struct drawing *d)
{
    const struct space *s = d->s;
    if (!s->records)
        return;
    if (s->lbr.architectural)
        writes(d, MSR_ARCH_LBR_CTL, draw(d) & gate_bits(s->caps, MSR_ARCH_LBR_CTL));
    else if (s->lbr.select && one_in(d, 2))
        writes(d, MSR_LBR_SELECT, draw(d) & draw(d) & gate_bits(s->caps, MSR_LBR_SELECT));
    else
        draw_debugctl(d);
}

static u64 address(struct drawing *d)
{
    u64 low = draw(d) & MASK(46, 0);
    return one_in(d, 3) ? MASK(63, 47) | low : one_in(d, 8) ? LBR_NOT_CANONICAL : low;
}

static bool of_record(const struct drawing *d, u32 msr)
{
    const struct lbr_stack *lbr = &d->s->lbr;
    return d->s->records && (msr - lbr->from < lbr->depth || msr - lbr->to < lbr->depth);
}

/* Flags of a branch record with counts, which are defined when they are recorded, but not when they are written? */
static bool has_counts(const struct drawing *d, u32 msr)
{
    return d->s->records && d->s->caps->lbr_logged && msr - d->s->lbr.infos < d->s->lbr.depth;
}

static u64 further_value(struct drawing *d, u32 msr)
{
    const struct pmu_caps *caps = d->s->caps;
    unsigned fixed = alias_number(msr, MSR_PMC_FX_CTR(0), FIXED_COUNTERS_MAX);
    if (draw_of_trace(d, msr))
        return draw_trace_value(d, msr);
    if (of_record(d, msr))
        return one_in(d, 6) ? 0 : address(d);
    if (alias_cfg_c_bit(msr) != 64)
        return draw_reload_value(d, alias_cfg_c_bit(msr));
    if (fixed != 64)
        return draw_value(d, caps->fixed_width, draw_is_exact(32 + fixed));
    return draw_some_bits(d, draw_bits_of(d, msr));
}

/* Any writable register, with any of its bits. */
void draw_further(struct drawing *d)
{
    const struct space *s = d->s;
    if (!s->further_count)
        return;
    bool record = s->records && one_in(d, 5);
    u32 msr = record ? (one_in(d, 2) ? s->lbr.from : s->lbr.to) + below(d, s->lbr.depth)
                     : s->further[below(d, s->further_count)];
    if (!has_counts(d, msr))
        writes(d, msr, further_value(d, msr));
    if (one_in(d, 2))
        step(d, OP_RDMSR, msr, 0);
}

void draw_refused(struct drawing *d)
{
    if (d->s->refusing_count)
        writes(d, d->s->refusing[below(d, d->s->refusing_count)], 0);
}

/* The bits of a register that the write gate lets be tried one at a time: on silicon only where a dump has shown that
 * they fault. */
static u64 reserved_bits(const struct drawing *d, u32 msr)
{
    const struct register_row *row = register_row_of(d->s->caps, msr);
    bool known = !d->s->careful || class_reserved_dumped(cpu_class(d->s->caps));
    return row && row->walked && known && msr != MSR_DEBUGCTL ? ~gate_bits(d->s->caps, msr) : 0;
}

/* One reserved bit beside some others: if the write is refused, it must leave everything as it was. */
void draw_reserved(struct drawing *d)
{
    const struct space *s = d->s;
    const struct space_register *r = &s->changed[below(d, s->changed_count)];
    u64 reserved = reserved_bits(d, r->msr);
    if (!reserved)
        return;
    if (s->caps->version >= 2)
        writes(d, MSR_PERF_GLOBAL_CTRL, 0);
    writes(d, r->msr, (r->rest ^ draw_some_bits(d, draw_bits_of(d, r->msr))) ^ BIT(one_bit_of(d, reserved)));
}
