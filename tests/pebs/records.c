/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter that is enabled in IA32_PEBS_ENABLE, or with architectural PEBS in its own CFG_C, writes a record after
 * each overflow: every counter, with every event that the manual lists for this microarchitecture. One after the other
 * samples a block with enough events for four records; how many came is measured, since the first may come an event
 * later.
 *
 * Without records a profiler is blind for that event.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 4

static bool one_pair(struct test *t)
{
    struct sampling s;
    struct sampling_pair pair;
    u64 end;
    unsigned pairs = sampling_pair(t, t->turn / 2, &pair);
    sampling_clear(t, &s);
    sampling_add(&s, &pair);
    sample(t, &s, RECORDS);
    u32 count = sampling_count(&s, &end);
    check_true(t, "no-record", count > 0, pebs_written(&s.setup), "1 record or more", pair.counter.msr);
    measure(t, "records-of-4", "records", count);
    return sampling_more(t, 2 * pairs);
}

TEST("pebs.records", .title = "Each counter that can sample writes records for each event that can be sampled",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .covers = "A-118,A-126,A-127,A-133",
     .needs = {.sampling = true}, .scope = EACH_CPU, .repeat = one_pair, .cells = CELL_RINGS, .measures = true);
