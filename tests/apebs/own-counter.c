/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Only a counter whose CFG_C turns sampling on writes records. Beside a sampling counter another one counts the same
 * event with the same period, and overflows as often: each record names only the first, and there are as many records
 * as without the other. The two counters swap roles, and all pairs of counters that can sample the event take turns.
 *
 * Records of a counter that should not sample end up in the buffer of another program, which then sees foreign data.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 4

static bool one_pair(struct test *t)
{
    struct sampling_pair pair = sampling_need(t, PEBS_BRANCHES);
    u64 all = pair.event.counters, others = all & (all - 1);
    unsigned n = (unsigned)__builtin_ctzll(t->turn % 2 ? others : all);
    unsigned other = (unsigned)__builtin_ctzll(t->turn % 2 ? all : others);
    struct sampling s;
    pair.counter = gp_counter(t->caps, n);
    sampling_clear(t, &s);
    struct pebs_counter *c = sampling_add(&s, &pair);
    struct counter beside = gp_counter(t->caps, other);
    s.others = BIT(other);
    sampling_begin(t, &s);
    counter_setup(beside, c->event, COUNT_OS, counter_preset(beside, c->period));
    s.setup.start_stop = counters_switch(t->caps, s.setup.start_stop.on | BIT(other));
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    sampling_end(&s);
    check_bit(t, "no-overflow", MSR_PERF_GLOBAL_STATUS, BIT(other), true);
    for_each_record (&s, record)
        check_equal(t, "other-counters", record.applicable, BIT(n), pair.counter.msr);
    check_range(t, "other-number", check_whole(t, &s), 1, RECORDS + 1, pair.counter.msr);
    return sampling_more(t, 2);
}

static void need_two(struct test *t)
{
    struct sampling_pair pair = sampling_need(t, PEBS_BRANCHES);
    if (!(pair.event.counters & (pair.event.counters - 1)))
        skip(t, "CPUID.23H.5:EAX=0x%x: one counter samples branches", (u32)t->caps->pebs_counters);
}

TEST("apebs.own-counter", .title = "A counter that was not asked to sample writes no record",
     .spec = "SDM 3B, Architectural PEBS", .covers = "B-093", .needs = {.apebs = true}, .scope = EACH_CPU,
     .prepare = need_two, .repeat = one_pair);
