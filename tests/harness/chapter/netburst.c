/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/chapter/netburst.h"
#include "harness/core/place.h"

struct netburst_setup netburst_setup_of(const struct test *t, u32 turn)
{
    return (struct netburst_setup){.caps = t->caps,
                                   .event = &netburst_events[turn % netburst_event_count],
                                   .os = true,
                                   .period = NETBURST_PERIOD,
                                   .pebs = true};
}

void netburst_sample(struct test *t, struct netburst_setup *setup, struct sampled *block, u64 rounds)
{
    if (!netburst_begin(setup))
        error_for(t, REASON_OPTION_MEMORY, "no memory for the DS area, or no room in it");
    sampled_prepare(block, rounds);
    sampled_run(&setup->start_stop, block);
    netburst_end(setup, PEBS_QUIET_US);
}

#define WRAPPED_BELOW BIT(39)

bool netburst_wrapped(struct test *t, const struct netburst_setup *setup)
{
    return read_msr(t, netburst_counter(setup)) < WRAPPED_BELOW;
}

#define EVENT(event, mask) (FIELD(30, 25, event) | FIELD(24, 9, mask))
#define GLOBAL_POWER_EVENTS EVENT(0x13, 1) /* running */
#define UOP_QUEUE_WRITES EVENT(0x09, 7)    /* from everywhere */
#define PACKED_SP_UOP EVENT(0x08, 0x8000)  /* all */
#define INSTR_RETIRED EVENT(0x02, 1)       /* not bogus, not tagged */
#define LANE_ROUNDS 8                      /* 16 instructions of each kind */

const struct netburst_group netburst_groups[NETBURST_GROUPS] = {
    {0, 4, 0xc, 6, MSR_FSB_ESCR(0), GLOBAL_POWER_EVENTS},
    {4, 4, 0xc, 0, MSR_MS_ESCR(0), UOP_QUEUE_WRITES},
    {8, 4, 0xc, 1, MSR_FIRM_ESCR(0), PACKED_SP_UOP},
    {12, 6, NETBURST_IQ_SECOND, 4, MSR_CRU_ESCR(0), INSTR_RETIRED},
};

unsigned netburst_own_thread(struct test *t)
{
    struct netburst_setup setup = netburst_setup_of(t, 0);
    setup.pebs = false;
    if (!netburst_begin(&setup))
        error_for(t, REASON_OPTION_MEMORY, "no memory for the DS area");
    netburst_clear(&setup);
    return setup.thread;
}

struct netburst_lane netburst_lane_of(const struct netburst_group *group, unsigned n, unsigned thread)
{
    return (struct netburst_lane){
        .counter = MSR_NETBURST_COUNTER(group->first + n),
        .cccr = MSR_CCCR(group->first + n),
        .control = FIELD(15, 13, group->select) | CCCR_ACTIVE_THREAD | CCCR_ENABLE,
        .start_stop = {.msr = group->escr + (group->second >> n & 1),
                       .on = group->event | (thread ? ESCR_T1_OS : ESCR_T0_OS)},
    };
}

void netburst_lane_run(struct test *t, const struct netburst_lane *lane, u64 from)
{
    write_msr(t, lane->cccr, 0);
    write_msr(t, lane->start_stop.msr, 0);
    netburst_put_counter(lane->counter, from);
    write_msr(t, lane->cccr, lane->control);
    execution_run(&lane->start_stop, LANE_ROUNDS);
}

void netburst_lane_clear(struct test *t, const struct netburst_lane *lane)
{
    write_msr(t, lane->cccr, 0);
    write_msr(t, lane->start_stop.msr, 0);
    netburst_put_counter(lane->counter, 0);
}

u64 netburst_halfway(u64 counted)
{
    return (0 - (counted + 1) / 2) & MASK(39, 0);
}

u64 netburst_flags(struct test *t)
{
    u64 flags = 0;
    for (unsigned n = 0; n < NETBURST_COUNTERS; n++)
        flags |= read_msr(t, MSR_CCCR(n)) & CCCR_OVF ? BIT(n) : 0;
    return flags;
}

u32 netburst_count(const struct netburst_setup *setup, u64 *end)
{
    struct pebs_record record;
    u32 count = 0;
    *end = 0;
    while (netburst_next(setup, end, &record))
        count++;
    return count;
}

static volatile bool here[MAX_CPUS];

struct netburst_pair netburst_find_pair(struct test *t)
{
    struct netburst_pair pair = {.cpu = t->cpu};
    here[t->cpu] = true;
    barrier(t);
    for (u32 other = 0; other < cpu_count(); other++) {
        if (!here[other] || other == t->cpu || topology_core(other) != topology_core(t->cpu))
            continue;
        pair.first = t->cpu < other;
        pair.second = !pair.first;
        pair.cpu = pair.first ? t->cpu : other;
    }
    barrier(t);
    here[t->cpu] = false;
    return pair;
}

void netburst_skip_alone(struct test *t, const struct netburst_pair *pair)
{
    if (!pair->first && !pair->second)
        skip(t, "CPUID.1:EBX[23:16], CPUID.4:EAX[31:26]: %u threads a core; this core's other thread takes no part",
             t->caps->threads_per_core);
}

void netburst_check_bounds(struct test *t, const struct netburst_setup *setup)
{
    u64 end, written = netburst_written(setup);
    netburst_count(setup, &end);
    check_equal(t, "not-whole-records", end, written, 0);
    check_equal(t, "behind-the-index", ds_area_touched(&setup->area, written), ds_area_end(&setup->area), 0);
}
