/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/sampling/pebs_setup.h"
#include "kernel/core/time.h"
#include "kernel/register/instructions.h"
#include "kernel/register/msr.h"
#include "kernel/text/text.h"
#include "pmu/count/counter.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/pebs.h"
#include "pmu/gate/gate.h"
#include "pmu/gate/write.h"

static const struct pebs_way *way_of(const struct pebs_setup *setup)
{
    return apebs_usable(setup->caps) ? &pebs_architectural : &pebs_by_debug_store;
}

static u64 counter_bits(const struct pebs_setup *setup)
{
    u64 bits = 0;
    for_each_sampler (setup, c)
        bits |= BIT(c->counter.bit);
    return bits;
}

/* Ensure counters are in disabled. */
static bool stop_counters(struct pebs_setup *setup)
{
    (void)setup;
    wrmsr(MSR_PERF_GLOBAL_CTRL, 0);
    return true;
}

static bool disable(struct pebs_setup *setup)
{
    way_of(setup)->disable(setup);
    return true;
}

/* Check overflow conditions, and clear overflow status that earlier use of the counters left. What software set to
 * stand beside them is let stand. */
static bool clear_overflow(struct pebs_setup *setup)
{
    u64 own = counter_bits(setup) | sampling_status_bit(setup->caps);
    pmu_status_clear(pmu_status() & (own | ~caused_kept()));
    return true;
}

static bool write_sample_after(struct pebs_setup *setup)
{
    for_each_sampler (setup, c) {
        counter_clear(c->counter);
        if (!counter_write(c->counter, counter_preset(c->counter, c->first ? c->first : c->period)))
            return false;
    }
    return true;
}

static void configure_fixed(const struct pebs_counter *c)
{
    unsigned i = c->counter.index;
    u64 control = (c->flags & COUNT_OS ? FIXED_OS(i) : 0) | (c->flags & COUNT_USR ? FIXED_USR(i) : 0) |
                  (c->flags & COUNT_INT ? FIXED_PMI(i) : 0) | (c->adaptive ? FIXED_ADAPTIVE(i) : 0);
    wrmsr(MSR_FIXED_CTR_CTRL, (rdmsr(MSR_FIXED_CTR_CTRL) & ~(FIXED_FIELD(i) | FIXED_ADAPTIVE(i))) | control);
}

/* Set local enable bit 22; do not set bit 20; the event must be PEBS-capable. */
static bool configure_counters(struct pebs_setup *setup)
{
    for_each_sampler (setup, c) {
        if (c->counter.fixed)
            configure_fixed(c);
        else
            wrmsr(MSR_PERFEVTSEL(c->counter.index),
                  EVTSEL_ENCODING(c->event) | EVTSEL_EN | (c->flags & COUNT_OS ? EVTSEL_OS : 0) |
                      (c->flags & COUNT_USR ? EVTSEL_USR : 0) | (c->flags & COUNT_INT ? EVTSEL_INT : 0) |
                      (c->adaptive ? EVTSEL_ADAPTIVE : 0) | c->qualifiers);
    }
    if (setup->latency) {
        setup->latency_found = rdmsr(MSR_PEBS_LD_LAT) & PEBS_LD_LAT_THRESHOLD;
        wrmsr(MSR_PEBS_LD_LAT, setup->latency);
    }
    if (pebs_adaptive(setup->caps))
        wrmsr(MSR_PEBS_DATA_CFG, setup->data_cfg);
    return true;
}

static bool allocate_buffer(struct pebs_setup *setup)
{
    return way_of(setup)->allocate(setup);
}

static bool program_ds_area(struct pebs_setup *setup)
{
    way_of(setup)->point(setup);
    return true;
}

static bool configure_management(struct pebs_setup *setup)
{
    return way_of(setup)->manage(setup);
}

static bool enable(struct pebs_setup *setup)
{
    way_of(setup)->enable(setup);
    return true;
}

const struct pebs_step pebs_steps[PEBS_STEPS] = {
    {"stop-counters", stop_counters},
    {"disable-pebs", disable},
    {"clear-overflow", clear_overflow},
    {"sample-after", write_sample_after},
    {"configure-counters", configure_counters},
    {"allocate-buffer", allocate_buffer},
    {"ds-area", program_ds_area},
    {"management", configure_management},
    {"enable-pebs", enable},
};

/* Takes each step except the one of this name. */
static bool take_all_but(struct pebs_setup *setup, const char *name)
{
    for_each_row (pebs_steps, step)
        if ((!name || strcmp(step->name, name)) && !step->take(setup))
            return false;
    return true;
}

static bool take(struct pebs_setup *setup, const char *name)
{
    for_each_row (pebs_steps, step)
        if (!strcmp(step->name, name))
            return step->take(setup);
    return false;
}

static bool be_ready(struct pebs_setup *setup)
{
    setup->start_stop = counters_switch(setup->caps, counter_bits(setup));
    return true;
}

bool pebs_begin_without(struct pebs_setup *setup, const char *left_out)
{
    return take_all_but(setup, left_out) && be_ready(setup);
}

bool pebs_begin_moved(struct pebs_setup *setup, const char *moved)
{
    return take_all_but(setup, moved) && take(setup, moved) && be_ready(setup);
}

bool pebs_begin(struct pebs_setup *setup)
{
    return pebs_begin_without(setup, NULL);
}

bool pebs_stand_by(struct pebs_setup *setup)
{
    return allocate_buffer(setup) && program_ds_area(setup) && configure_management(setup) && enable(setup);
}

void pebs_stop(const struct pebs_setup *setup, u64 quiet_us)
{
    wrmsr(MSR_PERF_GLOBAL_CTRL, 0);
    way_of(setup)->disable(setup);
    if (setup->latency)
        wrmsr(MSR_PEBS_LD_LAT, setup->latency_found);
    mfence();
    lfence();
    if (quiet_us)
        time_delay_us(quiet_us);
}

void pebs_leave_first(const struct pebs_setup *setup)
{
    wrmsr(MSR_PERF_GLOBAL_CTRL, 0);
    way_of(setup)->leave(BIT(setup->counter[0].counter.bit));
}

void pebs_resume(struct pebs_setup *setup)
{
    enable(setup);
}

void pebs_go_on(struct pebs_setup *setup)
{
    enable(setup);
    wrmsr(setup->start_stop.msr, setup->start_stop.on);
}

void pebs_rewind(const struct pebs_setup *setup)
{
    way_of(setup)->rewind(setup);
}

u64 pebs_written(const struct pebs_setup *setup)
{
    return way_of(setup)->written(setup);
}

u64 pebs_bound(const struct pebs_setup *setup)
{
    u64 maximum = ds_get(&setup->area.layout, setup->area.management, DS_PEBS_MAXIMUM) - (u64)setup->area.buffer;
    return maximum + (pebs_maximum_included(setup->caps) ? setup->size : 0);
}

bool pebs_next(const struct pebs_setup *setup, u64 *offset, struct pebs_record *record)
{
    u64 written = pebs_written(setup);
    *record = (struct pebs_record){0};
    if (written > setup->area.room || *offset >= written)
        return false;
    bool whole = pebs_decode(pebs_format(setup->caps), setup->area.buffer + *offset, written - *offset, record);
    *offset += whole ? record->size : record->padding;
    return whole && record->size;
}
