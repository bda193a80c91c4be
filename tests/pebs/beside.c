/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter that is not enabled for sampling counts as if no other did: the assist that writes a record changes only
 * the counters that sample. One counter samples, another counts the instructions of the same block twice: with several
 * records in the block, and with a period so long that there is none. Both counts are equal. Nor does a counter sample
 * because another one is enabled for it: one that overflows with an event that it could sample writes no record.
 *
 * If records disturb counters, every profile that also counts is wrong.
 */
#include "harness/chapter/sampling.h"

#define PERIOD 512
#define NEVER 1000000 /* so long that no record is written */
#define ROUNDS 15     /* 960 instructions, 120 branches */
#define OVERFLOWS_AFTER 64

struct where {
    struct sampling_pair pair;
    struct counter plain;
};

static u64 count(struct test *t, const struct where *where, u64 period, bool *recorded)
{
    struct sampling s;
    sampling_clear(t, &s);
    sampling_add(&s, &where->pair)->period = sampling_period(&where->pair, period);
    s.others = BIT(where->plain.bit);
    sampling_begin(t, &s);
    counter_setup(where->plain, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, 0);
    s.setup.start_stop = counters_switch(t->caps, BIT(where->pair.counter.bit) | BIT(where->plain.bit));
    sampling_run(&s, ROUNDS);
    sampling_end(&s);
    u64 value = counter_read(where->plain);
    *recorded = pebs_written(&s.setup) > 0;
    counter_clear(where->plain);
    return value;
}

/* The next counter that could sample the event, too, overflows without its enable bit. */
static void overflow_beside(struct test *t, const struct sampling_pair *pair, u32 turn)
{
    struct sampling s;
    u64 others = pair->event.counters & MASK(31, 0) & ~BIT(pair->counter.bit);
    if (!others)
        return;
    struct counter other = sampling_in_turn(t, others, turn);
    sampling_clear(t, &s);
    sampling_add(&s, pair)->period = NEVER;
    s.others = BIT(other.bit);
    sampling_begin(t, &s);
    counter_setup(other, pair->event.event, COUNT_OS, counter_preset(other, OVERFLOWS_AFTER));
    s.setup.start_stop = counters_switch(t->caps, BIT(pair->counter.bit) | BIT(other.bit));
    sampling_run(&s, ROUNDS);
    sampling_end(&s);
    check_equal(about(t, ASPECT_DISABLED_RECORDS), "recorded-for-another", pebs_written(&s.setup), 0, other.msr);
    pmu_status_clear(BIT(other.bit));
    counter_clear(other);
}

static bool both_periods(struct test *t, void *argument)
{
    const struct where *where = argument;
    bool recorded, alone;
    u64 without = count(t, where, NEVER, &alone), with = count(t, where, PERIOD, &recorded);
    check_true(t, "no-record", recorded, 0, "1 record or more", where->pair.counter.msr);
    if (!alone)
        check_count(about(t, ASPECT_LONG_COUNT), "count-disturbed", with, without, where->plain.msr);
    overflow_beside(t, &where->pair, t->turn);
    return sampling_more(t, GP_COUNTERS_MAX / 2);
}

/* Prefers branches: with instructions the counter may have the precise distribution, which is best left alone. */
static struct sampling_pair pair_of(struct test *t)
{
    struct pebs_event branches;
    return pebs_event_of(t->caps, PEBS_BRANCHES, &branches) ? sampling_need(t, PEBS_BRANCHES) : sampling_basic(t);
}

static void beside(struct test *t)
{
    struct where where = {.pair = pair_of(t)};
    where.plain = sampling_beside(t, &where.pair);
    repeat_clean(t, both_periods, &where);
}

TEST("pebs.beside", .title = "A counter that does not sample is not changed by records",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .needs = {.sampling = true, .event = 2},
     .scope = EACH_CPU, .run = beside);
