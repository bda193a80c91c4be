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
