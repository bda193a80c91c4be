/* SPDX-License-Identifier: BSD-2-Clause */
/* The grammar of walks: what they consist of, and how often each scene comes. */
#include "reference/lockstep/draw.h"
#include "boot/cpu.h"
#include "pmu/cpu/counters.h"
#include "pmu/registers.h"

/* ---- Reading, and instructions that are counted. */

static void lvtpc(struct drawing *d)
{
    step(d, OP_WRITE_LVTPC, 0, d->delivery | (one_in(d, 5) ? LVT_MASKED : 0));
}

static void read_register(struct drawing *d)
{
    if (d->s->further_count && one_in(d, 3))
        step(d, OP_RDMSR, d->s->further[below(d, d->s->further_count)], 0);
    else
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
    if (d->s->netburst)
        draw_netburst_rdpmc(d);
    else if (caps->metrics && one_in(d, 6))
        step(d, OP_RDPMC, RDPMC_METRICS, 0);
    else if (caps->fixed_bitmap && one_in(d, 3))
        step(d, OP_RDPMC, RDPMC_FIXED(one_bit_of(d, caps->fixed_bitmap)), 0);
    else
        step(d, OP_RDPMC, RDPMC_GP(one_bit_of(d, caps->gp_bitmap)), 0);
}

/* Leaves that belong to the PMU alone, and are the same on every machine of a model. */
static void cpuid(struct drawing *d)
{
    static const struct {
        u8 leaf, subleaf;
    } leaves[] = {{0x0a, 0}, {0x23, 0}, {0x23, 1}, {0x23, 2}, {0x23, 3},
                  {0x23, 4}, {0x23, 5}, {0x1c, 0}, {0x14, 0}, {0x14, 1}};
    u32 i = one_in(d, 4) ? 0 : below(d, ARRAY_SIZE(leaves));
    step(d, OP_CPUID, leaves[i].leaf, leaves[i].subleaf);
}

/* Drawn only if there is room for all of it, so that no walk has half of it. */
static void user(struct drawing *d)
{
    if (d->walk->body_count + 8 > WALK_BODY)
        return;
    step(d, OP_TO_USER, 0, 0);
    for (u32 n = 1 + below(d, 3); n; n--)
        if (one_in(d, 3))
            rdpmc(d);
        else
            draw_block(d);
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

/* The class of a PMI's vector is 14. */
static void tpr(struct drawing *d)
{
    step(d, OP_TPR, 0, one_in(d, 2) ? 0 : one_in(d, 2) ? 13 + below(d, 3) : below(d, 16));
}

/* ---- The whole walk. */

struct choice {
    void (*draws)(struct drawing *d);
    u8 weight, version; /* minimum version of the PMU; NETBURST, whose version is 0: for it alone */
};
#define NETBURST 255
static const struct choice program[] = {{draw_event_select, 4, 1},
                                        {draw_gp_value, 4, 1},
                                        {draw_fixed_control, 2, 2},
                                        {draw_fixed_value, 2, 2},
                                        {draw_debugctl, 2, 2},
                                        {draw_records, 2, 1},
                                        {lvtpc, 2, 0},
                                        {open_interrupts, 1, 0},
                                        {draw_further, 1, 0},
                                        {draw_reload, 6, 6},
                                        {draw_near_each_other, 1, 2},
                                        {draw_netburst_program, 8, NETBURST}};
static const struct choice anything[] = {
    {draw_event_select, 3, 1},
    {draw_gp_value, 3, 1},
    {draw_fixed_control, 2, 2},
    {draw_fixed_value, 2, 2},
    {draw_enable, 4, 2},
    {draw_disable, 2, 2},
    {draw_status_reset, 2, 2},
    {draw_status_set, 1, 4},
    {draw_debugctl, 2, 2},
    {draw_records, 3, 1},
    {draw_further, 4, 0},
    {draw_reload, 4, 6},
    {draw_near_each_other, 1, 2},
    {draw_refused, 1, 2},
    {draw_reserved, 1, 1},
    {draw_rough, 1, 2},
    {draw_stops_soon, 1, 2},
    {draw_read_at_carry, 1, 2},
    {draw_topdown, 1, 5},
    {draw_sampling, 4, 2},
    {draw_tracing, 2, 2},
    {cpuid, 1, 0},
    {lvtpc, 3, 0},
    {read_register, 5, 0},
    {read_status, 4, 2},
    {read_lvtpc, 2, 0},
    {rdpmc, 3, 0},
    {draw_block, 8, 0},
    {user, 4, 0},
    {draw_settle, 1, 0},
    {close_interrupts, 1, 0},
    {open_interrupts, 3, 0},
    {tpr, 1, 0},
    {draw_netburst_program, 4, NETBURST},
    {draw_netburst_event, 2, NETBURST},
    {draw_netburst_value, 3, NETBURST},
    {draw_netburst_control, 5, NETBURST},
    {draw_netburst_off, 3, NETBURST},
    {draw_netburst_soon, 2, NETBURST},
    {draw_netburst_sampling, 3, NETBURST},
    {draw_netburst_read, 4, NETBURST},
};

static u32 weight(const struct drawing *d, const struct choice *choice)
{
    bool has = choice->version == NETBURST ? d->s->netburst : d->s->caps->version >= choice->version;
    return has ? choice->weight : 0;
}

static void draw_one_of(struct drawing *d, const struct choice *list, u32 count)
{
    u32 sum = 0;
    for (u32 i = 0; i < count; i++)
        sum += weight(d, &list[i]);
    u32 n = below(d, sum);
    for (u32 i = 0; i < count; i++) {
        if (n < weight(d, &list[i])) {
            list[i].draws(d);
            return;
        }
        n -= weight(d, &list[i]);
    }
}

void draw_one(struct drawing *d)
{
    draw_one_of(d, anything, ARRAY_SIZE(anything));
}

/* Steps of a handler, in any order: it stops counters, acknowledges, opens LVTPC again, reads. */
static void draw_for_handler(struct drawing *d)
{
    switch (below(d, 6)) {
    case 0:
        if (d->s->netburst)
            draw_netburst_off(d);
        else if (d->s->caps->version >= 2)
            draw_disable(d);
        break;
    case 1:
        if (d->s->caps->version >= 2)
            draw_status_reset(d);
        break;
    case 2:
        if (!d->opens)
            step(d, OP_WRITE_LVTPC, 0, d->delivery);
        d->opens = true;
        break;
    case 3:
        read_lvtpc(d);
        break;
    case 4:
        if (d->s->netburst)
            draw_netburst_read(d);
        else
            read_status(d);
        break;
    default:
        read_register(d);
    }
}

/* Drawn as a body, then moved. */
void draw_handler(struct drawing *d)
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
        draw_one_of(&d, program, ARRAY_SIZE(program));
    if (space->caps->version >= 2 && !one_in(&d, 6))
        draw_enable(&d);
    for (u32 n = 3 + below(&d, 38); n; n--)
        draw_one(&d);
}
