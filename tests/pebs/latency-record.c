/*
 * A CPU that can sample loads by their latency does so, by each counter that can: among many loads that take longer
 * than the least threshold of MSR_PEBS_LD_LAT_THRESHOLD, as each load does, some are recorded. The CPU chooses by
 * chance which loads it watches, and how many of them is not told: a run without a record is followed by one twice as
 * long.
 *
 * If the last one leaves nothing either, the facility is dead. Some CPUs stop sampling so with hyper-threading, for
 * good (HSD171): known there. Where drivers count a second event beside it, what comes without is not told: skipped.
 */
#include "harness/chapter/sampling.h"

#define TRIES 11
#define LEAST 3 /* that the threshold may be */

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
