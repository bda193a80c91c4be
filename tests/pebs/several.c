/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two counters sample at the same time, at the same period or at different ones: both write records into the one
 * buffer, even if they overflow together, or one while the other's record is still to come: then one counts branches,
 * the other loads. From format 3 on each record names its counters, one or both, and no other.
 * (Before that, records of both show up in the status field: how often is measured.) Each is reloaded with its own
 * reset value. Counters with the precise distribution are left out: what they do while another counter samples is
 * undefined (BJ97).
 */
#include "harness/chapter/sampling.h"

#define RECORDS 4
#define FAR (1000 * SAMPLE_OTHERS) /* no second record in the block */

/* The loads of the block up to the one between branch SAMPLE_OTHERS and the next: 6 before the loop, 9 in a round. */
#define BETWEEN_BRANCHES (6 + SAMPLE_OTHERS / SAMPLED_BRANCHES * SAMPLED_LOADS - 1)

/* The second counter; the first one has SAMPLE_OTHERS branches for both. The last one counts loads. */
static const struct {
    u64 first, period;
} seconds[] = {
    {SAMPLE_OTHERS, SAMPLE_OTHERS},
    {SAMPLE_OTHERS * 3 / 2, SAMPLE_OTHERS * 3 / 2},
    {SAMPLE_OTHERS, FAR},
    {BETWEEN_BRANCHES, SAMPLE_OTHERS},
};

struct where {
    struct sampling_pair first, second, loads;
    unsigned seconds; /* how many of them this CPU can do */
};

static void look(struct test *t, const struct sampling *s, u64 mask)
{
    u64 seen = 0, collisions = 0;
    for_each_record (s, record) {
        if (record.has & PEBS_HAS_COUNTERS)
            check_true(t, "other-counters", record.applicable && !(record.applicable & ~mask), record.applicable,
                       "only counters that sample, and at least one", 0);
        u64 named = (record.has & PEBS_HAS_COUNTERS ? record.applicable : record.status) & mask;
        seen |= named;
        collisions += named == mask;
    }
    if (pebs_format(t->caps) >= 3)
        check_equal(t, "a-counter-without-record", seen, mask, 0);
    measure(t, "records-of-both", "records", collisions);
}

static bool one_sample(struct test *t, void *argument)
{
    struct where *where = argument;
    struct sampling s;
    sampling_clear(t, &s);
    sampling_add(&s, &where->first);
    unsigned which = t->turn % where->seconds;
    struct pebs_counter *second = sampling_add(&s, which + 1 == ARRAY_SIZE(seconds) ? &where->loads : &where->second);
    second->first = seconds[which].first;
    second->period = seconds[which].period;
    sample(t, &s, RECORDS);
    check_recorded(t, &s);
    look(t, &s, BIT(where->first.counter.bit) | BIT(where->second.counter.bit));
    if (second->period == FAR)
        check_range(t, "other-reset-value", counter_read(second->counter), counter_preset(second->counter, FAR),
                    counter_preset(second->counter, FAR / 2), second->counter.msr);
    return sampling_more(t, where->seconds);
}

/* Loads by the second counter, if it samples them at any time. */
static bool has_loads(const struct test *t, struct where *where)
{
    struct counter counter = where->second.counter;
    where->loads.counter = counter;
    return pebs_event_of(t->caps, PEBS_LOADS, &where->loads.event) && where->loads.event.care == PEBS_ANY_TIME &&
           (where->loads.event.counters >> counter.bit & 1);
}

static void several(struct test *t)
{
    struct where where = {.first = sampling_need(t, PEBS_BRANCHES)};
    u64 others = where.first.event.counters & ~BIT(where.first.counter.bit);
    if (!others)
        skip(t, "of counters 0x%lx only one can sample branches", sampling_counter_bits(t->caps));
    where.second = where.first;
    where.second.counter = gp_counter(t->caps, (unsigned)__builtin_ctzll(others));
    where.seconds = ARRAY_SIZE(seconds) - !has_loads(t, &where);
    repeat_clean(t, one_sample, &where);
}

TEST("pebs.several", .title = "Counters that sample at the same time each write their own records",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .covers = "A-123,B-089", .needs = {.sampling = true},
     .scope = EACH_CPU, .run = several, .measures = true);
