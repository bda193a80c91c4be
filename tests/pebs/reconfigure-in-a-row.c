/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Re-configurations in a row, each with a quiescent period: from one area to the other, from one period to another.
 * Each block is half a period longer than its records need, and exactly that many are there: none lost, none twice.
 * There are as many re-configurations as the time allows; their number is measured.
 */
#include "harness/chapter/sampling.h"

#define QUIET_US 10000
#define LEAST 6

static bool one_more(struct test *t, void *argument)
{
    const struct sampling_pair *pair = argument;
    struct sampling s;
    u64 end;
    u32 records = 1 + t->turn % 3;
    sampling_clear(t, &s);
    struct pebs_counter *c = sampling_add(&s, pair);
    c->period += t->turn % 2 * c->period / 2;
    s.setup.which = t->turn % DS_AREAS;
    sampling_begin(t, &s);
    sampling_run(&s, sampling_rounds(&s, records));
    pebs_stop(&s.setup, QUIET_US);
    check_equal(about(t, ASPECT_EACH_RECORD), "lost-or-doubled", sampling_count(&s, &end), records, pair->counter.msr);
    return sampling_more(t, LEAST);
}

static void reconfigure_in_a_row(struct test *t)
{
    struct sampling_pair pair = sampling_best(t);
    measure(t, "reconfigurations", "times", repeat_clean(t, one_more, &pair));
}

TEST("pebs.reconfigure-in-a-row", .title = "Re-configuring again and again loses no record and duplicates none",
     .spec = "SDM 3B, Re-configuring PEBS Facilities", .covers = "B-084", .needs = {.sampling = true},
     .scope = EACH_CPU, .run = reconfigure_in_a_row, .measures = true);
