#include "harness/netburst.h"

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
        error(t, "no memory for the DS area, or no room in it");
    sampled_prepare(block, rounds);
    sampled_run(&setup->start_stop, block);
    netburst_end(setup, PEBS_QUIET_US);
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

void netburst_check_bounds(struct test *t, const struct netburst_setup *setup)
{
    u64 end, written = netburst_written(setup);
    netburst_count(setup, &end);
    check_equal(t, "not-whole-records", end, written, 0);
    check_equal(t, "behind-the-index", ds_area_touched(&setup->area, written), ds_area_end(&setup->area), 0);
}
