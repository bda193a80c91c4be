/*
 * IA32_PEBS_ENABLE may be cleared while its counter goes on counting: the counter is then one like any other. It
 * overflows later, its bit of IA32_PERF_GLOBAL_STATUS is set, and no record is written. The overflow comes long after
 * the write, which the block makes itself right after the start.
 */
#include "harness/sampling.h"

#define FAR 2 /* periods until the overflow */

static bool one_sample(struct test *t)
{
    struct sampling_pair pair = sampling_basic(t);
    struct counter counter = pair.counter;
    struct sampling s;
    sampling_clear(t, &s);
    struct pebs_counter *c = sampling_add(&s, &pair);
    c->first = FAR * c->period;
    sampling_begin(t, &s);
    s.block.then_clear = MSR_PEBS_ENABLE;
    sampling_run(&s, sampling_rounds(&s, 1));
    sampling_end(&s);
    check_bit(t, "no-overflow", MSR_PERF_GLOBAL_STATUS, counter.bit, true);
    check_equal(about(t, ASPECT_DISABLED_RECORDS), "recorded-although-off", pebs_written(&s.setup), 0, counter.msr);
    return sampling_more(t, 1);
}

TEST("pebs.clear-enable", .title = "With its enable bit cleared a counter overflows and writes no record",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .covers = "A-125,B-087", .needs = {.pebs = true},
     .scope = EACH_CPU, .repeat = one_sample);
