/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Architectural PEBS: IA32_PEBS_BASE holds the buffer's physical address, IA32_PEBS_INDEX how far it is filled and the
 * threshold for a PMI, and each counter's CFG_C its reload value, the groups of its records and the bit that turns it
 * on. SDM 3B, "Architectural PEBS".
 */
#include "kernel/register/instructions.h"
#include "kernel/register/msr.h"
#include "pmu/area/ds.h"
#include "pmu/cpu/counters.h"
#include "pmu/cpu/pebs.h"
#include "pmu/gate/write.h"
#include "pmu/sampling/pebs_setup.h"

/* Clears the whole of CFG_C: CNTR_ALLOW has an effect even if the counter does not sample. */
static void leave(u64 counters)
{
    for (u64 left = counters; left; left &= left - 1)
        wrmsr(alias_cfg_c((unsigned)__builtin_ctzll(left)), 0);
}

static void disable(const struct pebs_setup *setup)
{
    leave(apebs_counter_bits(setup->caps));
}

/* The size of the largest record of these counters, with all groups in one piece. */
static u32 record_size(const struct pebs_setup *setup)
{
    u32 most = 0;
    for_each_sampler (setup, c)
        if (most < apebs_record_size(c->groups))
            most = apebs_record_size(c->groups);
    return most;
}

static bool allocate(struct pebs_setup *setup)
{
    u64 order = setup->one_page ? 0 : APEBS_ORDER_MOST;
    if (!apebs_area_get(setup->which, order, &setup->area))
        return false;
    setup->size = record_size(setup);
    apebs_area_guard(&setup->area);
    ds_area_fill_buffer(&setup->area);
    return true;
}

static void point(const struct pebs_setup *setup)
{
    u64 order = setup->one_page ? 0 : APEBS_ORDER_MOST;
    wrmsr(MSR_PEBS_BASE, (u64)setup->area.buffer | order);
}

static void rewind(const struct pebs_setup *setup)
{
    u64 at = setup->threshold ? (u64)setup->threshold * setup->size : setup->area.room;
    wrmsr(MSR_PEBS_INDEX, apebs_index(0, at) | PEBS_INDEX_EN);
}

static bool manage(const struct pebs_setup *setup)
{
    rewind(setup);
    mfence();
    return true;
}

static void enable(const struct pebs_setup *setup)
{
    for_each_sampler (setup, c)
        wrmsr(alias_cfg_c(c->counter.bit),
              CFG_C_PEBS_EN | c->groups | (counter_preset(c->counter, c->period) & CFG_C_RELOAD));
}

static u64 written(const struct pebs_setup *setup)
{
    (void)setup;
    return apebs_written(rdmsr(MSR_PEBS_INDEX));
}

const struct pebs_way pebs_architectural = {
    .disable = disable,
    .leave = leave,
    .allocate = allocate,
    .point = point,
    .manage = manage,
    .enable = enable,
    .rewind = rewind,
    .written = written,
};
