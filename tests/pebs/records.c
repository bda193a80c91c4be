/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter that is enabled in IA32_PEBS_ENABLE, or with architectural PEBS in its own CFG_C, writes a record after
 * each overflow: every counter, with every event that the manual lists for this microarchitecture. One after the other
 * samples a block with enough events for four records; how many came is measured, since the first may come an event
 * later. Then the same counter samples both privilege levels, as profilers do unless told otherwise; the block, at CPL
 * 0 or at CPL 3, has enough events of its own for a record.
 *
 * Without records a profiler is blind for that event.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 4

/* At CPL 3 the transition is sampled, too. */
static void both_levels(struct test *t, const struct sampling_pair *pair)
{
    struct sampling s;
    u32 own = 0;
    sampling_clear(t, &s);
    sampling_add(&s, pair)->flags = COUNT_OS | COUNT_USR;
    sample(t, &s, 1);
    for_each_record (&s, record)
        own += ring3_code(record.ip) == t->cell.user;
    check_true(t, "no-record-of-both-levels", own > 0, pebs_written(&s.setup), "1 record or more of the block's level",
               pair->counter.msr);
}

/* Of a counter's events every other one at each level, in the next round the others. */
static bool chooses_both(const struct test *t, const struct sampling_pair *pair, unsigned pairs)
{
    return (pair->counter.bit + pair->event.kind + t->turn / (2 * pairs)) % 2 == t->cell.user;
}

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
    if (chooses_both(t, &pair, pairs))
        both_levels(t, &pair);
    return sampling_more(t, 2 * pairs);
}

TEST("pebs.records", .title = "Each counter that can sample writes records for each event that can be sampled",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .covers = "A-118,A-126,A-127,A-133",
     .needs = {.sampling = true}, .scope = EACH_CPU, .repeat = one_pair, .cells = CELL_RINGS, .measures = true,
     .aside = ASIDE_SAMPLING);
