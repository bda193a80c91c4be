/* The grammar: what walks are made of, and how often each. */
#include "boot/cpu.h"
#include "pmu/cpu/counters.h"
#include "pmu/reference/lockstep/space.h"
#include "pmu/registers.h"

#define VECTOR_PMI 0xe0 /* kernel/cpu/vectors.h */
#define NEAR_MOST 60    /* events before an overflow */
#define TURNS_MOST 40

struct drawing {
    const struct space *s;
    u64 state;
    u64 delivery; /* LVTPC's, all through the walk: no NMI comes into the handler of a fixed one */
    struct walk *walk;
};

static u64 draw(struct drawing *d)
{
    u64 z = d->state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static u32 below(struct drawing *d, u32 n)
{
    return (u32)((draw(d) >> 32) % n);
}

static bool one_in(struct drawing *d, u32 n)
{
    return !below(d, n);
}

static void step(struct drawing *d, u32 op, u32 number, u64 value)
{
    if (d->walk->body_count < WALK_BODY)
        d->walk->body[d->walk->body_count++] = (struct walk_step){op, number, value};
}

static void writes(struct drawing *d, u32 msr, u64 value)
{
    step(d, OP_WRMSR, msr, value);
}

static u32 count_of(u64 bits)
{
    u32 count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* One of the set bits of `bits`, which has some. */
static unsigned one_bit_of(struct drawing *d, u64 bits)
{
    for (u32 n = below(d, count_of(bits)); n; n--)
        bits &= bits - 1;
    return (unsigned)__builtin_ctzll(bits);
}

/* ---- Counters. */

static u64 value_of(struct drawing *d, unsigned width, bool exact)
{
    u64 most = counter_mask(width);
    switch (below(d, 8)) {
    case 0:
        return 0;
    case 1:
        return draw(d) & most >> 1;
    case 2:
        return exact ? most : 1;
    default:
        return exact ? most - below(d, NEAR_MOST) : draw(d) & most >> 2;
    }
}

static u64 rings(struct drawing *d)
{
    static const u64 values[] = {EVTSEL_OS | EVTSEL_USR, EVTSEL_OS | EVTSEL_USR, EVTSEL_OS, EVTSEL_USR, 0};
    return values[below(d, ARRAY_SIZE(values))];
}

static void event_select(struct drawing *d)
{
    unsigned n = one_bit_of(d, d->s->caps->gp_bitmap);
    u64 value = one_in(d, 3) ? ARCH_EVENT_BRANCHES : ARCH_EVENT_INSTRUCTIONS;
    if (one_in(d, 8)) /* whatever it holds, it reads back; and counts nothing */
        value = draw(d) & gate_bits(d->s->caps, MSR_PERFEVTSEL(n)) & ~EVTSEL_EN;
    else
        value |= rings(d) | (one_in(d, 3) ? 0 : EVTSEL_INT) | (one_in(d, 10) ? 0 : EVTSEL_EN);
    if (one_in(d, 12) && !(value & ~MASK(31, 0)))
        value |= EVTSEL_PC & gate_bits(d->s->caps, MSR_PERFEVTSEL(n));
    writes(d, MSR_PERFEVTSEL(n), value);
}

static void gp_value(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    unsigned n = one_bit_of(d, caps->gp_bitmap);
    u64 value = value_of(d, caps->gp_width, true);
    bool full = caps->full_width && !one_in(d, 6);
    writes(d, full ? MSR_A_PMC(n) : MSR_PMC(n), full || caps->gp_width < 32 ? value : value & MASK(31, 0));
}

static void fixed_control(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    u64 value = 0;
    if (!caps->fixed_bitmap)
        return;
    for_each_fixed (caps, i)
        if (!one_in(d, 3))
            value |= (draw(d) & (FIXED_OS(i) | FIXED_USR(i) | FIXED_PMI(i)));
    writes(d, MSR_FIXED_CTR_CTRL, value & gate_bits(caps, MSR_FIXED_CTR_CTRL));
}

static void fixed_value(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    if (!caps->fixed_bitmap)
        return;
    unsigned i = one_in(d, 2) && caps->fixed_bitmap & 1 ? 0 : one_bit_of(d, caps->fixed_bitmap);
    writes(d, MSR_FIXED_CTR(i), value_of(d, caps->fixed_width, i == FIXED_INSTRUCTIONS));
}

static u64 some_counters(struct drawing *d)
{
    u64 all = caps_counter_bits(d->s->caps);
    return one_in(d, 3) ? draw(d) & all : all;
}

static void enable(struct drawing *d)
{
    writes(d, MSR_PERF_GLOBAL_CTRL, some_counters(d));
}

static void disable(struct drawing *d)
{
    writes(d, MSR_PERF_GLOBAL_CTRL, 0);
}

static void status_reset(struct drawing *d)
{
    u64 bits = gate_bits(d->s->caps, MSR_PERF_GLOBAL_STATUS_RESET);
    writes(d, MSR_PERF_GLOBAL_STATUS_RESET, one_in(d, 2) ? bits : bits & draw(d));
}

static void status_set(struct drawing *d)
{
    u64 bits = gate_bits(d->s->caps, MSR_PERF_GLOBAL_STATUS_SET);
    if (bits)
        writes(d, MSR_PERF_GLOBAL_STATUS_SET, one_in(d, 2) ? bits & draw(d) & draw(d) : BIT(one_bit_of(d, bits)));
}

/* ---- Freezing, branch records, PMIs. */

static u64 debugctl_rest(const struct space *s)
{
    for (u32 i = 0; i < s->changed_count; i++)
        if (s->changed[i].msr == MSR_DEBUGCTL)
            return s->changed[i].rest;
    return 0;
}

static void debugctl(struct drawing *d)
{
    u64 bits = gate_bits(d->s->caps, MSR_DEBUGCTL);
    u64 value = draw(d) & bits;
    if (d->s->records && one_in(d, 2))
        value |= DEBUGCTL_LBR;
    else
        value &= ~DEBUGCTL_LBR;
    writes(d, MSR_DEBUGCTL, debugctl_rest(d->s) | value);
}

static void records(struct drawing *d)
{
    const struct space *s = d->s;
    if (!s->records)
        return;
    if (s->lbr.architectural)
        writes(d, MSR_ARCH_LBR_CTL, draw(d) & gate_bits(s->caps, MSR_ARCH_LBR_CTL));
    else if (s->lbr.select && one_in(d, 2))
        writes(d, MSR_LBR_SELECT, draw(d) & draw(d) & gate_bits(s->caps, MSR_LBR_SELECT));
    else
        debugctl(d);
}

static void lvtpc(struct drawing *d)
{
    step(d, OP_WRITE_LVTPC, 0, d->delivery | (one_in(d, 5) ? LVT_MASKED : 0));
}

/* ---- Looking, and what is counted. */

static void read_register(struct drawing *d)
{
    step(d, OP_RDMSR, d->s->read[below(d, d->s->read_count)], 0);
}

static void read_status(struct drawing *d)
{
    if (d->s->caps->version >= 2)
        step(d, OP_RDMSR, one_in(d, 3) ? MSR_PERF_GLOBAL_CTRL : MSR_PERF_GLOBAL_STATUS, 0);
}

static void read_lvtpc(struct drawing *d)
{
    step(d, OP_READ_LVTPC, 0, 0);
}

static void rdpmc(struct drawing *d)
{
    const struct pmu_caps *caps = d->s->caps;
    if (caps->fixed_bitmap && one_in(d, 3))
        step(d, OP_RDPMC, RDPMC_FIXED(one_bit_of(d, caps->fixed_bitmap)), 0);
    else
        step(d, OP_RDPMC, RDPMC_GP(one_bit_of(d, caps->gp_bitmap)), 0);
}

static void block(struct drawing *d)
{
    static const u32 ops[] = {OP_LOOP, OP_LOOP, OP_BRANCHES, OP_STRAIGHT, OP_MEMORY};
    u32 op = ops[below(d, ARRAY_SIZE(ops))];
    step(d, op, op == OP_LOOP ? 1 + below(d, TURNS_MOST) : 0, 0);
}

/* Nothing that a seed draws stands half in a walk: there is room for all of it. */
static void user(struct drawing *d)
{
    if (d->walk->body_count + 8 > WALK_BODY)
        return;
    step(d, OP_TO_USER, 0, 0);
    for (u32 n = 1 + below(d, 3); n; n--)
        if (one_in(d, 6))
            rdpmc(d);
        else
            block(d);
    step(d, OP_FROM_USER, 0, 0);
    if (!one_in(d, 4))
        step(d, OP_STI, 0, 0);
}

static void close_interrupts(struct drawing *d)
{
    step(d, OP_CLI, 0, 0);
}

static void open_interrupts(struct drawing *d)
{
    step(d, OP_STI, 0, 0);
}

static void settle(struct drawing *d)
{
    step(d, OP_SETTLE, 0, 0);
}

/* ---- The whole. */

struct choice {
    void (*draws)(struct drawing *d);
    u8 weight, version; /* from this version on */
};
static const struct choice program[] = {{event_select, 4, 0}, {gp_value, 4, 0},       {fixed_control, 2, 2},
                                        {fixed_value, 2, 2},  {debugctl, 2, 2},       {records, 2, 0},
                                        {lvtpc, 2, 0},        {open_interrupts, 1, 0}};
static const struct choice anything[] = {
    {event_select, 3, 0},
    {gp_value, 3, 0},
    {fixed_control, 2, 2},
    {fixed_value, 2, 2},
    {enable, 4, 2},
    {disable, 2, 2},
    {status_reset, 2, 2},
    {status_set, 1, 4},
    {debugctl, 2, 2},
    {records, 3, 0},
    {lvtpc, 3, 0},
    {read_register, 5, 0},
    {read_status, 4, 2},
    {read_lvtpc, 2, 0},
    {rdpmc, 3, 0},
    {block, 8, 0},
    {user, 4, 0},
    {settle, 1, 0},
    {close_interrupts, 1, 0},
    {open_interrupts, 3, 0},
};

static void draw_one(struct drawing *d, const struct choice *list, u32 count)
{
    u32 sum = 0;
    for (u32 i = 0; i < count; i++)
        sum += d->s->caps->version >= list[i].version ? list[i].weight : 0;
    u32 n = below(d, sum);
    for (u32 i = 0; i < count; i++) {
        u32 weight = d->s->caps->version >= list[i].version ? list[i].weight : 0;
        if (n < weight) {
            list[i].draws(d);
            return;
        }
        n -= weight;
    }
}

/* What a handler does, in any order: stops, acknowledges, opens LVTPC again, looks. */
static void draw_for_handler(struct drawing *d)
{
    switch (below(d, 6)) {
    case 0:
        if (d->s->caps->version >= 2)
            disable(d);
        break;
    case 1:
        if (d->s->caps->version >= 2)
            status_reset(d);
        break;
    case 2:
        step(d, OP_WRITE_LVTPC, 0, d->delivery);
        break;
    case 3:
        read_lvtpc(d);
        break;
    case 4:
        read_status(d);
        break;
    default:
        read_register(d);
    }
}

/* Drawn as a body is, and moved. */
static void draw_handler(struct drawing *d)
{
    struct walk *walk = d->walk;
    for (u32 n = below(d, 6); n; n--)
        draw_for_handler(d);
    for (; walk->handler_count < walk->body_count && walk->handler_count < WALK_HANDLER; walk->handler_count++)
        walk->handler[walk->handler_count] = walk->body[walk->handler_count];
    walk->body_count = 0;
}

void walk_draw(const struct space *space, u64 seed, struct walk *walk)
{
    struct drawing d = {.s = space, .state = seed, .walk = walk};
    *walk = (struct walk){0};
    d.delivery = one_in(&d, 2) ? LVT_DELIVERY_NMI : LVT_DELIVERY_FIXED | VECTOR_PMI;
    draw_handler(&d);
    for (u32 n = 2 + below(&d, 8); n; n--)
        draw_one(&d, program, ARRAY_SIZE(program));
    if (space->caps->version >= 2 && !one_in(&d, 6))
        enable(&d);
    for (u32 n = 3 + below(&d, 38); n; n--)
        draw_one(&d, anything, ARRAY_SIZE(anything));
}
