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
    unsigned seconds; /* how many of them these counters can do */
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

/* Loads by the second counter, if it samples them at any time. */
static bool has_loads(const struct test *t, struct where *where)
{
    struct counter counter = where->second.counter;
    where->loads.counter = counter;
    return pebs_event_of(t->caps, PEBS_LOADS, &where->loads.event) && where->loads.event.care == PEBS_ANY_TIME &&
           (where->loads.event.counters >> counter.bit & 1);
}

/* Each counter in turn, with each other one. Returns the number of such pairs. */
static unsigned choose(const struct test *t, const struct pebs_event *event, u32 turn, struct where *where)
{
    u64 counters = event->counters & MASK(31, 0);
    unsigned n = sampling_number(counters), apart = 1 + turn / n % (n - 1);
    where->first.event = where->second.event = *event;
    where->first.counter = sampling_in_turn(t, counters, turn);
    where->second.counter = sampling_in_turn(t, counters, turn + apart);
    where->seconds = ARRAY_SIZE(seconds) - !has_loads(t, where);
    return n * (n - 1);
}

static bool one_sample(struct test *t, void *argument)
{
    struct where where;
    struct sampling s;
    unsigned pairs = choose(t, argument, t->turn, &where), which = t->turn % where.seconds;
    sampling_clear(t, &s);
    sampling_add(&s, &where.first);
    struct pebs_counter *second = sampling_add(&s, which + 1 == ARRAY_SIZE(seconds) ? &where.loads : &where.second);
    second->first = seconds[which].first;
    second->period = seconds[which].period;
    sample(t, &s, RECORDS);
    check_recorded(t, &s);
    look(t, &s, BIT(where.first.counter.bit) | BIT(where.second.counter.bit));
    if (second->period == FAR)
        check_range(t, "other-reset-value", counter_read(second->counter), counter_preset(second->counter, FAR),
                    counter_preset(second->counter, FAR / 2), second->counter.msr);
    return sampling_more(t, pairs > ARRAY_SIZE(seconds) ? pairs : ARRAY_SIZE(seconds));
}

static void several(struct test *t)
{
    struct pebs_event event = sampling_need(t, PEBS_BRANCHES).event;
    u64 counters = event.counters & MASK(31, 0);
    if (!(counters & (counters - 1)))
        skip(t, "of counters 0x%lx only one can sample branches", sampling_counter_bits(t->caps));
    repeat_clean(t, one_sample, &event);
}

TEST("pebs.several", .title = "Counters that sample at the same time each write their own records",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .covers = "A-123,B-089", .needs = {.sampling = true},
     .scope = EACH_CPU, .run = several, .measures = true);
