/* SPDX-License-Identifier: BSD-2-Clause */
/* Scenes of counters: their events, values, controls and status; overflows, reloads and top-down metrics. */
#include "boot/cpu.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/counters.h"
#include "pmu/registers.h"
#include "reference/lockstep/draw.h"

/* Is this access to go by the counter's alias? */
static bool by_alias(struct drawing *d, unsigned bit)
{
    return aliased_counters(d->s->caps) >> bit & 1 && one_in(d, 3);
}

#define CMASK_NEVER 64
#define ROUGH_STEPS 20
#define LBR_INSERTS 12 /* bit number in CPUID.0AH:EBX */

/* Events that the manual or the class's event list defines for each occurrence. */
static u64 event(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    u64 conditional = class_conditional_branches(cpu_class(caps));
    if (conditional && one_in(d, 6))
        return conditional;
    if (caps_event_available(caps, LBR_INSERTS) && one_in(d, 4))
        return ARCH_EVENT_LBR_INSERTS;
    return one_in(d, 3) ? ARCH_EVENT_BRANCHES : ARCH_EVENT_INSTRUCTIONS;
}

/* An event that is enumerated, but counts what no manual defines. */
static u64 rough_event(struct drawing *d)
{
    static const u16 events[] = {ARCH_EVENT_CORE_CYCLES,      ARCH_EVENT_INSTRUCTIONS,     ARCH_EVENT_REF_CYCLES,
                                 ARCH_EVENT_LLC_REFERENCE,    ARCH_EVENT_LLC_MISS,         ARCH_EVENT_BRANCHES,
                                 ARCH_EVENT_BRANCH_MISSES,    ARCH_EVENT_TOPDOWN_SLOTS,    ARCH_EVENT_TOPDOWN_BACKEND,
                                 ARCH_EVENT_TOPDOWN_BAD_SPEC, ARCH_EVENT_TOPDOWN_FRONTEND, ARCH_EVENT_TOPDOWN_RETIRING};
    unsigned i = below(d, ARRAY_SIZE(events));
    return caps_event_available(d->s->caps, i) && !one_in(d, 3) ? events[i] : ARCH_EVENT_CORE_CYCLES;
}

/* Cycles in which something happens, or does not: low counts of an event, mostly of one that can reach them. */
static u64 cycles_with(struct drawing *d)
{
    return EVTSEL_CMASK(one_in(d, 3) ? 1 + (u64)below(d, 8) : 1) | (one_in(d, 2) ? EVTSEL_INV : 0) |
           (one_in(d, 3) ? EVTSEL_EDGE : 0) | (one_in(d, 2) ? EVTSEL_EQ : 0);
}

/* A counter of cycles and the like. */
static u64 rough_select(struct drawing *d, u64 bits)
{
    u64 value = (one_in(d, 4) ? event(d) : rough_event(d)) | draw_rings(d) | EVTSEL_EN;
    value |= (one_in(d, 3) ? cycles_with(d) : one_in(d, 8) ? EVTSEL_EDGE : 0);
    return value & (bits | MASK(15, 0));
}

/* A counter that counts what is defined; sometimes with a threshold that no cycle reaches. */
static u64 counting_select(struct drawing *d, u64 bits)
{
    u64 value = event(d) | draw_rings(d);
    value |= (one_in(d, 3) ? 0 : EVTSEL_INT) | (one_in(d, 10) ? 0 : EVTSEL_EN) |
             (one_in(d, 3) ? 0 : EVTSEL_BR_CNTR & bits) | (one_in(d, 8) ? EVTSEL_RDPMC_USER_DISABLE & bits : 0) |
             (one_in(d, 8) ? draw(d) & (EVTSEL_IN_TX | EVTSEL_IN_TXCP) & bits : 0); /* no transaction ever runs */
    return value | (one_in(d, 12) ? EVTSEL_CMASK(CMASK_NEVER + (u64)below(d, 256 - CMASK_NEVER)) & bits : 0);
}

/* A counter that counts nothing, as it is off or has no event: any value must read back. */
static u64 idle_select(struct drawing *d, u64 bits)
{
    return one_in(d, 8)   ? EVTSEL_EN
           : one_in(d, 4) ? 0
                          : draw(d) & bits & ~(EVTSEL_EN | (one_in(d, 2) ? MASK(7, 0) : 0));
}

void draw_event_select(struct drawing *d)
{
    unsigned n = one_bit_of(d, d->s->caps->gp_bitmap);
    u64 bits = gate_bits(d->s->caps, MSR_PERFEVTSEL(n));
    u64 value = one_in(d, 8) ? idle_select(d, bits) : one_in(d, 8) ? rough_select(d, bits) : counting_select(d, bits);
    if (one_in(d, 12) && !(value & ~MASK(31, 0)))
        value |= EVTSEL_PC & bits;
    writes(d, by_alias(d, n) ? MSR_PMC_GP_CFG_A(n) : MSR_PERFEVTSEL(n), value);
}

/* Cycles, misses and the like of a long block, with few other steps: there they are known best. */
void draw_rough(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    unsigned n = one_bit_of(d, caps->gp_bitmap);
    u64 select = rough_select(d, gate_bits(caps, MSR_PERFEVTSEL(n)));
    bool user = one_in(d, 3), each = select & (EVTSEL_EDGE | EVTSEL_CMASK(0xff)); /* turn is told by itself */
    if (d->walk->body_count + ROUGH_STEPS > WALK_BODY)
        return;
    writes(d, MSR_PERF_GLOBAL_CTRL, 0);
    draw_gp_value_of(d, n, one_in(d, 2) ? 0 : draw(d) & MASK(30, 0));
    writes(d, MSR_PERFEVTSEL(n), select);
    writes(d, MSR_FIXED_CTR_CTRL, draw(d) & gate_bits(caps, MSR_FIXED_CTR_CTRL));
    for_each_fixed (caps, i)
        if (i != FIXED_INSTRUCTIONS)
            writes(d, MSR_FIXED_CTR(i), 0);
    writes(d, MSR_PERF_GLOBAL_CTRL, gate_bits(caps, MSR_PERF_GLOBAL_CTRL));
    if (user)
        step(d, OP_TO_USER, 0, 0);
    step(d, OP_LOOP, each ? 2 * TURNS_MOST : 500 + below(d, 1000), 0);
    if (user)
        step(d, OP_FROM_USER, 0, 0);
    if (one_in(d, 4))
        writes(d, MSR_PERF_GLOBAL_CTRL, 0);
    step(d, OP_RDMSR, MSR_PMC(n), 0);
}

void draw_gp_value(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    unsigned n = one_bit_of(d, caps->gp_bitmap);
    u64 value = draw_value(d, caps->gp_width, true);
    bool full = caps->full_width && !one_in(d, 6);
    u32 seen = caps->full_width ? MSR_A_PMC(n) : MSR_PMC(n);
    if (by_alias(d, n))
        writes(d, MSR_PMC_GP_CTR(n), value);
    else if (full && one_in(d, 12)) /* a bit beyond the width: the write faults */
        writes(d, MSR_A_PMC(n), (one_in(d, 2) ? value : 0) | BIT(caps->gp_width));
    else
        writes(d, full ? MSR_A_PMC(n) : MSR_PMC(n), full || caps->gp_width < 32 ? value : value & MASK(31, 0));
    if (one_in(d, 4))
        step(d, OP_RDMSR, seen, 0);
}

void draw_fixed_control(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    u64 value = 0;
    if (!caps->fixed_bitmap)
        return;
    for_each_fixed (caps, i)
        if (!one_in(d, 3))
            value |= (draw(d) & (FIXED_OS(i) | FIXED_USR(i) | FIXED_PMI(i)));
    if (one_in(d, 6))
        value |= draw(d) & draw(d);
    writes(d, MSR_FIXED_CTR_CTRL, value & gate_bits(caps, MSR_FIXED_CTR_CTRL));
}

void draw_fixed_value(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    if (!caps->fixed_bitmap)
        return;
    unsigned i = one_in(d, 2) && caps->fixed_bitmap & 1 ? 0 : one_bit_of(d, caps->fixed_bitmap);
    u64 value = draw_value(d, caps->fixed_width, i == FIXED_INSTRUCTIONS);
    if (one_in(d, 16))
        value |= BIT(caps->fixed_width);
    writes(d, by_alias(d, 32 + i) ? MSR_PMC_FX_CTR(i) : MSR_FIXED_CTR(i), value);
    if (one_in(d, 4))
        step(d, OP_RDMSR, MSR_FIXED_CTR(i), 0);
}

static u64 some_counters(struct drawing *d)
{
    u64 all = gate_bits(d->s->caps, MSR_PERF_GLOBAL_CTRL);
    return one_in(d, 3) ? draw(d) & all : all;
}

void draw_enable(struct drawing *d)
{
    writes(d, MSR_PERF_GLOBAL_CTRL, some_counters(d));
}

void draw_disable(struct drawing *d)
{
    writes(d, MSR_PERF_GLOBAL_CTRL, 0);
}

void draw_status_reset(struct drawing *d)
{
    u64 bits = gate_bits(d->s->caps, MSR_PERF_GLOBAL_STATUS_RESET);
    writes(d, MSR_PERF_GLOBAL_STATUS_RESET,
           one_in(d, 2)           ? bits
           : one_in(d, 2) && bits ? BIT(one_bit_of(d, bits))
                                  : draw_some_bits(d, bits));
}

void draw_status_set(struct drawing *d)
{
    u64 bits = gate_bits(d->s->caps, MSR_PERF_GLOBAL_STATUS_SET);
    if (bits)
        writes(d, MSR_PERF_GLOBAL_STATUS_SET, one_in(d, 2) ? bits & draw(d) & draw(d) : BIT(one_bit_of(d, bits)));
}

/* Two counters of instructions that overflow together, or a few instructions apart. */
void draw_near_each_other(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    u64 control = draw_rings(d);
    u32 before = below(d, NEAR_MOST);
    if (one_in(d, 4) && gate_bits(caps, MSR_DEBUGCTL) & DEBUGCTL_FREEZE_PERFMON_ON_PMI)
        writes(d, MSR_DEBUGCTL, draw_debugctl_rest(d->s) | DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    for (u32 i = 0; i < 2; i++) {
        bool fixed = caps->fixed_bitmap & 1 && one_in(d, 3);
        unsigned n = fixed ? 0 : one_bit_of(d, caps->gp_bitmap), width = fixed ? caps->fixed_width : caps->gp_width;
        u64 value = counter_mask(width) - before - (one_in(d, 2) ? 0 : below(d, 9));
        if (fixed) {
            writes(d, MSR_FIXED_CTR_CTRL, FIXED_OS(0) | FIXED_USR(0) | FIXED_PMI(0));
            writes(d, MSR_FIXED_CTR(0), value);
            continue;
        }
        writes(d, MSR_PERFEVTSEL(n), ARCH_EVENT_INSTRUCTIONS | control | EVTSEL_EN | (one_in(d, 2) ? EVTSEL_INT : 0));
        draw_gp_value_of(d, n, value);
    }
}

/* Counters are stopped right after one of them has overflowed, while its PMI is on its way. */
void draw_stops_soon(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    unsigned n = one_bit_of(d, caps->gp_bitmap);
    u64 value = counter_mask(caps->gp_width) - below(d, 20);
    writes(d, MSR_PERFEVTSEL(n), ARCH_EVENT_INSTRUCTIONS | EVTSEL_OS | EVTSEL_USR | EVTSEL_INT | EVTSEL_EN);
    draw_gp_value_of(d, n, value);
    draw_enable(d);
    if (one_in(d, 2))
        step(d, OP_STRAIGHT, 0, 0);
    draw_disable(d);
    if (one_in(d, 2))
        draw_settle(d);
}

/* A counter is read again and again while its lower bits run over. */
void draw_read_at_carry(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    unsigned n = one_bit_of(d, caps->gp_bitmap);
    u64 value = draw_before_carry(d, caps->gp_width);
    if (!caps->full_width)
        return;
    writes(d, MSR_PERFEVTSEL(n), ARCH_EVENT_INSTRUCTIONS | EVTSEL_OS | EVTSEL_EN);
    writes(d, MSR_A_PMC(n), value);
    draw_enable(d);
    for (u32 times = 4; times; times--)
        if (one_in(d, 2))
            step(d, OP_RDMSR, MSR_A_PMC(n), 0);
        else
            step(d, OP_RDPMC, RDPMC_GP(n), 0);
}

/* Reloads the counter at a bit of IA32_PERF_GLOBAL_CTRL: on its own overflow, on that of another, or of several. */
void draw_reload(struct drawing *d)
{
    u64 all = caps_counter_bits(d->s->caps);
    if (!aliased_counters(d->s->caps))
        return;
    unsigned bit = one_bit_of(d, aliased_counters(d->s->caps));
    u32 cfg_c = alias_cfg_c(bit), cfg_b = cfg_c - 1;
    u64 causes = gate_bits(d->s->caps, cfg_b) & all;
    if (!one_in(d, 4))
        writes(d, cfg_c, draw_reload_value(d, bit));
    if (!causes || one_in(d, 6))
        return;
    unsigned cause = causes >> bit & 1 && one_in(d, 2) ? bit : one_bit_of(d, causes);
    writes(d, cfg_b, one_in(d, 6) ? 0 : BIT(cause) | (one_in(d, 3) ? draw(d) & causes : 0));
    if (cause < 32)
        writes(d, MSR_PERFEVTSEL(cause),
               ARCH_EVENT_INSTRUCTIONS | draw_rings(d) | EVTSEL_EN | (one_in(d, 2) ? EVTSEL_INT : 0));
    if (cause < 32 || cause == 32)
        writes(d, cause < 32 ? MSR_A_PMC(cause) : MSR_FIXED_CTR(0),
               counter_mask(cause < 32 ? d->s->caps->gp_width : d->s->caps->fixed_width) - below(d, NEAR_MOST));
}

/* Writes and reads slots and metrics, with each way to read them. */
void draw_topdown(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    u64 bits = gate_bits(caps, MSR_FIXED_CTR_CTRL);
    if (!caps->metrics)
        return;
    writes(d, MSR_FIXED_CTR_CTRL,
           (FIXED_OS(FIXED_TOPDOWN_SLOTS) | FIXED_USR(FIXED_TOPDOWN_SLOTS) | FIXED_OS(0) | FIXED_USR(0) |
            (one_in(d, 3) ? FIXED_METRICS_CLEAR : 0)) &
               bits);
    if (!one_in(d, 3))
        writes(d, MSR_FIXED_CTR(FIXED_TOPDOWN_SLOTS), one_in(d, 3) ? counter_mask(caps->fixed_width) : 0);
    if (one_in(d, 3))
        writes(d, MSR_PERF_METRICS, draw(d) & gate_bits(caps, MSR_PERF_METRICS));
    writes(d, MSR_PERF_GLOBAL_CTRL, gate_bits(caps, MSR_PERF_GLOBAL_CTRL));
    step(d, OP_LOOP, 2 * TURNS_MOST, 0);
    if (one_in(d, 2))
        writes(d, MSR_PERF_GLOBAL_CTRL, 0);
    step(d, OP_RDPMC, RDPMC_METRICS, 0);
    step(d, OP_RDMSR, one_in(d, 2) ? MSR_PERF_METRICS : MSR_FIXED_CTR(FIXED_TOPDOWN_SLOTS), 0);
}
