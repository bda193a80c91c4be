/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Loads can be sampled by their latency: only those that take longer than MSR_PEBS_LD_LAT_THRESHOLD cycles, and the
 * record says how many they took. No manual says how the cycles are counted, so with the lowest threshold records and
 * latencies are measured; pebs.latency-record judges that records come at all.
 *
 * With the highest threshold, 65535 cycles, no record is written: all loads of the block hit the first-level cache and
 * are much faster. If the threshold is ignored, unwanted loads fill the buffer.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 3
#define LEAST 3 /* the lowest value allowed */
#define MOST 0xffff

static void sample_loads(struct test *t, struct sampling *s, u64 threshold)
{
    struct sampling_pair pair = sampling_need(t, PEBS_LATENCY);
    sampling_clear(t, s);
    sampling_add(s, &pair)->adaptive = pebs_adaptive(t->caps);
    s->setup.data_cfg = PEBS_DATA_MEMINFO;
    s->setup.latency = threshold;
    sample(t, s, RECORDS);
}

static bool both_thresholds(struct test *t)
{
    struct sampling s;
    sample_loads(t, &s, LEAST);
    measure(t, "records", "records", check_whole(t, &s));
    for_each_record (&s, record)
        measure(t, "latency", "cycles", record.latency & 0xffff);
    sample_loads(t, &s, MOST);
    check_equal(t, "sampled-below-threshold", pebs_written(&s.setup), 0, MSR_PEBS_LD_LAT);
    return sampling_more(t, 1);
}

TEST("pebs.latency", .title = "Only loads above the latency threshold are sampled",
     .spec = "SDM 3B, Load Latency Performance Monitoring Facility", .needs = {.pebs = true, .pebs_format = 1},
     .scope = EACH_CPU_IN_TURN, .repeat = both_thresholds, .measures = true);
