/*
 * Loads can be sampled by their latency: only those that took at least MSR_PEBS_LD_LAT_THRESHOLD cycles, and the record
 * tells how many. On some CPUs this stops with hyper-threading (HSD171, CML95), and how the cycles are counted is not
 * told, so records and latencies are measured.
 *
 * What holds of any: records are whole, and nothing is written past the index.
 */
#include "harness/sampling.h"

#define RECORDS 3
#define THRESHOLD 3 /* the least that the register may hold */

static bool one_sample(struct test *t)
{
    struct sampling_pair pair = sampling_need(t, PEBS_LATENCY);
    struct sampling s;
    sampling_clear(t, &s);
    sampling_add(&s, &pair)->adaptive = pebs_adaptive(t->caps);
    s.setup.data_cfg = PEBS_DATA_MEMINFO;
    s.setup.latency = THRESHOLD;
    sample(t, &s, RECORDS);
    measure(t, "records", "records", check_whole(t, &s));
    for_each_record (&s, record)
        measure(t, "latency", "cycles", record.latency & 0xffff);
    return sampling_more(t, 1);
}

TEST("pebs.latency", .title = "Loads sampled by their latency",
     .spec = "SDM 3B, Load Latency Performance Monitoring Facility", .needs = {.pebs = true, .pebs_format = 1},
     .scope = EACH_CPU_IN_TURN, .repeat = one_sample, .measures = true);
