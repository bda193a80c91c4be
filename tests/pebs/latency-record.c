/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each counter that can sample loads by their latency does so: with the lowest threshold of MSR_PEBS_LD_LAT_THRESHOLD,
 * which every load exceeds, some of many loads are recorded. The CPU selects at random which loads it watches, and no
 * manual says how many: a run without a record is followed by one twice as long.
 *
 * If the last run leaves no record either, the facility is dead. Some CPUs with hyper-threading stop sampling loads for
 * good (HSD171): a known erratum. On CPUs where drivers count a second event beside it, no manual says what happens
 * without that one: there the test is skipped.
 */
#include "harness/chapter/sampling.h"

#define TRIES 11
#define LEAST 3 /* the lowest threshold allowed */

static void sample_loads(struct test *t, struct sampling *s, const struct sampling_pair *pair, unsigned try)
{
    sampling_clear(t, s);
    sampling_add(s, pair)->adaptive = pebs_adaptive(t->caps);
    s->setup.data_cfg = PEBS_DATA_MEMINFO;
    s->setup.latency = LEAST;
    sampling_begin(t, s);
    sampling_run(s, sampling_rounds(s, 1) << try);
    sampling_end(s);
}

static void one_counter(struct test *t, const struct sampling_pair *pair)
{
    struct sampling s;
    unsigned try = 0;
    do
        sample_loads(t, &s, pair, try++);
    while (!pebs_written(&s.setup) && try < TRIES);
    measure(t, "tries", "tries", try);
    check_recorded(about(t, ASPECT_LATENCY), &s);
}

static void latency_record(struct test *t)
{
    struct sampling_pair pair = sampling_need(t, PEBS_LATENCY);
    if (pair.event.care != PEBS_ANY_TIME)
        skip(t, "signature %08x: drivers count a second event beside loads by latency", t->caps->signature);
    for_each_gp_counter (t, n) {
        pair.counter = gp_counter(t->caps, n);
        if (pair.event.counters >> n & 1)
            one_counter(t, &pair);
    }
}

TEST("pebs.latency-record", .title = "Loads are sampled by their latency",
     .spec = "SDM 3B, Load Latency Performance Monitoring Facility", .needs = {.pebs = true, .pebs_format = 1},
     .scope = EACH_CPU_IN_TURN, .run = latency_record, .measures = true);
