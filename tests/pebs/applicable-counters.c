/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From format 3 on a record has a field that says which counter caused it. If only one counter samples, it is that one
 * alone. (Older formats have IA32_PERF_GLOBAL_STATUS in its place: the bits of other counters are clear there, as none
 * has overflowed, and whether the sampling counter's own bit is set is measured.)
 */
#include "harness/chapter/sampling.h"

#define RECORDS 3

/* No other counter has overflowed. Whether the counter's own bit is set is not promised. */
static void look_at_status(struct test *t, struct counter counter, u64 status)
{
    check_equal(t, "other-counters-in-status", status & caps_counter_bits(t->caps) & ~BIT(counter.bit), 0, counter.msr);
    measure(t, "status-shows-counter", "0-or-1", status >> counter.bit & 1);
}

static bool one_pair(struct test *t)
{
    struct sampling s;
    unsigned pairs = sampling_some(t, &s);
    struct counter counter = s.setup.counter[0].counter;
    sample(t, &s, RECORDS);
    for_each_record (&s, record) {
        if (record.has & PEBS_HAS_COUNTERS)
            check_equal(t, "other-counters", record.applicable, BIT(counter.bit), counter.msr);
        else if (record.has & PEBS_HAS_STATUS)
            look_at_status(t, counter, record.status);
    }
    check_recorded(t, &s);
    return sampling_more(t, pairs);
}

TEST("pebs.applicable-counters", .title = "A record names the counter that caused it",
     .spec = "SDM 3B, PEBS Record Format", .covers = "A-119,A-131", .needs = {.sampling = true, .pebs_format = 1},
     .scope = EACH_CPU, .repeat = one_pair, .measures = true, .aside = ASIDE_SAMPLING);
