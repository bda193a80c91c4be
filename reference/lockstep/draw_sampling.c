/* SPDX-License-Identifier: BSD-2-Clause */
/* Scenes of sampling: by the debug store, and by architectural PEBS. */
#include "pmu/area/ds.h"
#include "pmu/cpu/counters.h"
#include "pmu/cpu/pebs.h"
#include "pmu/registers.h"
#include "reference/lockstep/draw.h"

#define PAGE_BYTES 4096
#define SAMPLING_STEPS 24

/* An event of instructions or branches: each occurrence is defined. */
static bool some_event(struct drawing *d, struct pebs_event *event)
{
    struct pebs_event found;
    u32 count = 0;
    for (unsigned i = 0; pebs_event(d->s->caps, i, &found); i++)
        if (found.kind <= PEBS_BRANCHES && (found.counters &= space_precise(d->s, found.event)) && !below(d, ++count))
            *event = found;
    return count;
}

static void puts_reset_value(struct drawing *d, const struct ds_layout *layout, unsigned bit, u64 reset)
{
    step(d, OP_POKE, bit < 32 ? layout->gp_reset + 8 * bit : layout->fixed_reset + 8 * (bit - 32), reset);
}

/* Where the buffer begins: mostly at a page, else anywhere, also so that records cross into the next page. */
static u64 base_for_records(struct drawing *d)
{
    u64 page = d->s->places.records + LOCKSTEP_BUFFER;
    return one_in(d, 6) ? page - 8 * below(d, 100) : one_in(d, 4) ? page + 8 * below(d, 64) : page;
}

/* The management area: bounds in any order. */
static void place_for_records(struct drawing *d)
{
    u64 base = base_for_records(d), maximum = base + 8 * below(d, 200);
    u64 values[] = {base, one_in(d, 3) ? base + 8 * below(d, 64) : base, one_in(d, 4) ? maximum : base + 2000,
                    one_in(d, 3) ? maximum : base + 8 * below(d, 100)};
    bool empty = one_in(d, 12); /* an area of zeros: no buffer */
    for (u32 i = 0; i < ARRAY_SIZE(values); i++)
        step(d, OP_POKE, 8 * (DS_PEBS_BASE + i), empty ? 0 : values[i]);
}

static void sampled_counter(struct drawing *d, const struct pebs_event *event, unsigned bit, u64 levels, u64 value)
{
    const struct pmu_caps *caps = d->s->caps;
    bool groups = pebs_adaptive(caps) && !d->s->apebs && !one_in(d, 4);
    u64 interrupts = one_in(d, 2);
    if (bit < 32) {
        writes(d, MSR_PERFEVTSEL(bit),
               event->event | levels | EVTSEL_EN | (interrupts ? EVTSEL_INT : 0) | (groups ? EVTSEL_ADAPTIVE : 0));
        draw_gp_value_of(d, bit, value);
        return;
    }
    writes(d, MSR_FIXED_CTR_CTRL,
           FIXED_OS(bit - 32) | FIXED_USR(bit - 32) | (interrupts ? FIXED_PMI(bit - 32) : 0) |
               (groups ? FIXED_ADAPTIVE(bit - 32) : 0));
    writes(d, MSR_FIXED_CTR(bit - 32), value);
}

/* Another counter that can sample the event; 64: none, mostly. */
static unsigned second_counter(struct drawing *d, const struct pebs_event *event, unsigned bit)
{
    u64 others = event->counters & ~BIT(bit);
    return others && one_in(d, 3) ? one_bit_of(d, others) : 64;
}

static u64 most_of(const struct drawing *d, unsigned bit)
{
    return counter_mask(bit < 32 ? d->s->caps->gp_width : d->s->caps->fixed_width);
}

/* Groups whose words are known, or known to be unknown: no counters that cycles move. */
#define GROUPS_LEFT_OUT (CFG_C_CNTR_FIXED | CFG_C_CNTR_METRICS)

/* With architectural PEBS: a buffer of one or two pages, and a threshold within it or behind it. */
static void buffer(struct drawing *d)
{
    u64 order = below(d, 2), room = apebs_buffer_bytes(order) / 16, first = one_in(d, 3) ? below(d, (u32)room) : 0;
    u64 threshold = one_in(d, 3) ? below(d, (u32)room + 1) : first + below(d, 60);
    u64 page = order || one_in(d, 2) ? 0 : PAGE_BYTES;
    writes(d, MSR_PEBS_BASE, (d->s->places.records + page) | order);
    writes(d, MSR_PEBS_INDEX,
           apebs_index(16 * first, 16 * (threshold < room ? threshold : room)) | (one_in(d, 8) ? 0 : PEBS_INDEX_EN) |
               (one_in(d, 12) ? PEBS_INDEX_FULL : 0));
}

static void architectural(struct drawing *d, const struct pebs_event *event)
{
    unsigned bit = one_bit_of(d, event->counters), second = second_counter(d, event, bit);
    u64 groups =
        one_in(d, 3) ? 0 : draw_some_bits(d, apebs_config_bits(d->s->caps) & ~(CFG_C_PEBS_EN | GROUPS_LEFT_OUT));
    writes(d, MSR_PERF_GLOBAL_CTRL, 0);
    draw_settle(d);
    writes(d, alias_cfg_c(bit), 0);
    buffer(d);
    u64 before = below(d, NEAR_MOST), levels = draw_rings(d); /* both fire together, or nearly so */
    for (unsigned counter = bit; counter != 64; counter = counter == bit ? second : 64) {
        writes(d, alias_cfg_c(counter), CFG_C_PEBS_EN | groups | draw_reload_value(d, counter));
        sampled_counter(d, event, counter, levels, most_of(d, counter) - before);
    }
    draw_enable(d);
    step(d, OP_LOOP, 1 + below(d, TURNS_MOST), 0);
    step(d, OP_RDMSR, MSR_PEBS_INDEX, 0);
}

/* A CPU reads the management area each time, whether or not its address was written again. */
static void debug_store(struct drawing *d, const struct pebs_event *event)
{
    const struct pmu_caps *caps = d->s->caps;
    unsigned bit = one_bit_of(d, event->counters), second = second_counter(d, event, bit);
    struct ds_layout layout = ds_layout(true, pebs_format(caps));
    writes(d, MSR_PERF_GLOBAL_CTRL, 0);
    draw_settle(d);
    writes(d, MSR_PEBS_ENABLE, 0);
    place_for_records(d);
    if (!one_in(d, 4))
        writes(d, MSR_DS_AREA, one_in(d, 12) ? 0 : d->s->places.records);
    if (pebs_adaptive(caps))
        writes(d, MSR_PEBS_DATA_CFG, one_in(d, 3) ? 0 : draw_some_bits(d, draw_bits_of(d, MSR_PEBS_DATA_CFG)));
    writes(d, MSR_PEBS_ENABLE,
           BIT(bit) | (second != 64 ? BIT(second) : 0) | (one_in(d, 4) ? draw(d) & pebs_precise_bits(caps) : 0));
    u64 before = below(d, NEAR_MOST), levels = draw_rings(d); /* both fire together, or nearly so */
    for (unsigned counter = bit; counter != 64; counter = counter == bit ? second : 64) {
        puts_reset_value(d, &layout, counter, most_of(d, counter) - below(d, 2 * NEAR_MOST));
        sampled_counter(d, event, counter, levels, most_of(d, counter) - before);
    }
    draw_enable(d);
    step(d, OP_LOOP, 1 + below(d, TURNS_MOST), 0);
    step(d, OP_PEEK, 8 * DS_PEBS_INDEX, 0);
}

/* A counter of such an event samples, set up as the manual says: with everything off. */
void draw_sampling(struct drawing *d)
{
    struct pebs_event event = {0};
    if (d->s->areas.records)
        step(d, OP_SAMPLE, (u32)draw(d), draw(d));
    if (!d->s->places.records || d->walk->body_count + SAMPLING_STEPS > WALK_BODY || !some_event(d, &event))
        return;
    if (d->s->apebs)
        architectural(d, &event);
    else
        debug_store(d, &event);
}
