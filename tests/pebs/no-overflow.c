/*
 * Records are written after an overflow, and only then: a counter that counts with its bit of IA32_PEBS_ENABLE set but
 * does not reach its end writes nothing, and the index stays at the base.
 *
 * One counter after the other is on while the block runs, in every second turn from far below its end, else close to it
 * and for CPL 3 only, where nothing runs. Software would take such records for events that it
 * never asked about.
 */
#include "harness/chapter/sampling.h"

#define FAR 0x1000000
#define ROUNDS 20

static bool one_pair(struct test *t)
{
    struct sampling s;
    unsigned pairs = sampling_some(t, &s);
    struct pebs_counter *c = &s.setup.counter[0];
    u32 aspects = t->turn % 2 ? 0 : ASPECT_SAMPLED_LEVEL;
    if (t->turn % 2)
        c->first = FAR;
    else
        c->flags = COUNT_USR;
    sampling_begin(t, &s);
    sampling_run(&s, ROUNDS);
    sampling_end(&s);
    check_equal(about(t, aspects), "index-moved", pebs_written(&s.setup), 0, c->counter.msr);
    check_equal(about(t, aspects), "buffer-written", ds_area_end(&s.setup.area) - ds_area_touched(&s.setup.area, 0), 0,
                c->counter.msr);
    return sampling_more(t, pairs);
}

TEST("pebs.no-overflow", .title = "A counter that does not overflow writes no record",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .covers = "A-117", .needs = {.sampling = true},
     .scope = EACH_CPU, .repeat = one_pair);
