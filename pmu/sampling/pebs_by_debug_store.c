/* SPDX-License-Identifier: BSD-2-Clause */
/* Sampling by debug store: IA32_DS_AREA, its management area, IA32_PEBS_ENABLE. */
#include "kernel/register/instructions.h"
#include "kernel/register/msr.h"
#include "pmu/gate/write.h"
#include "pmu/sampling/pebs_setup.h"

static u64 counter_bits(const struct pebs_setup *setup)
{
    u64 bits = 0;
    for_each_sampler (setup, c)
        bits |= BIT(c->counter.bit);
    return bits;
}

static void disable(const struct pebs_setup *setup)
{
    (void)setup;
    wrmsr(MSR_PEBS_ENABLE, 0);
}

static void leave(u64 counters)
{
    wrmsr(MSR_PEBS_ENABLE, rdmsr(MSR_PEBS_ENABLE) & ~counters);
}

static u32 record_size(const struct pebs_setup *setup)
{
    u64 groups = 0;
    for_each_sampler (setup, c)
        if (c->adaptive)
            groups = setup->data_cfg;
    return pebs_record_size(pebs_format(setup->caps), groups);
}

static struct ds_buffer buffer_of(const struct pebs_setup *setup)
{
    return (struct ds_buffer){.base = (u64)setup->area.buffer,
                              .room = setup->area.room,
                              .size = setup->size,
                              .records = setup->records,
                              .threshold = setup->threshold};
}

static bool allocate(struct pebs_setup *setup)
{
    if (!ds_area_get(setup->caps, setup->which, &setup->area))
        return false;
    setup->area.management += setup->place;
    setup->area.buffer += setup->base;
    setup->area.room -= setup->base;
    setup->size = record_size(setup);
    ds_area_fill(&setup->area);
    struct ds_buffer buffer = buffer_of(setup);
    return ds_buffer_fits(&buffer);
}

static void point(const struct pebs_setup *setup)
{
    wrmsr(MSR_DS_AREA, (u64)setup->area.management);
}

static bool manage(const struct pebs_setup *setup)
{
    const struct ds_layout *layout = &setup->area.layout;
    u8 *area = setup->area.management;
    struct ds_buffer buffer = buffer_of(setup);
    ds_put_buffer(layout, area, &buffer);
    for_each_sampler (setup, c)
        if (!ds_put_reset(layout, area, c->counter.fixed, c->counter.index, counter_preset(c->counter, c->period)))
            return false;
    mfence();
    return true;
}

/* Before the baseline, a counter that samples loads by latency needs another bit besides its own. */
static u64 latency_bits(const struct pebs_setup *setup)
{
    return setup->latency && !pebs_adaptive(setup->caps) ? counter_bits(setup) << 32 : 0;
}

/* So does the one counter that samples stores. SDM 3B, "Precise Store Facility". */
static u64 store_bits(const struct pebs_setup *setup)
{
    for_each_sampler (setup, c)
        if (!c->counter.fixed && c->event == EVENT_CODE_PRECISE_STORE)
            return pebs_store_bits(setup->caps);
    return 0;
}

static void enable(const struct pebs_setup *setup)
{
    wrmsr(MSR_PEBS_ENABLE, counter_bits(setup) | latency_bits(setup) | store_bits(setup));
}

static void rewind(const struct pebs_setup *setup)
{
    ds_put(&setup->area.layout, setup->area.management, DS_PEBS_INDEX, (u64)setup->area.buffer);
}

static u64 written(const struct pebs_setup *setup)
{
    return ds_get(&setup->area.layout, setup->area.management, DS_PEBS_INDEX) - (u64)setup->area.buffer;
}

const struct pebs_way pebs_by_debug_store = {
    .disable = disable,
    .leave = leave,
    .allocate = allocate,
    .point = point,
    .manage = manage,
    .enable = enable,
    .rewind = rewind,
    .written = written,
};
