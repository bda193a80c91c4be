/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records are written only after an overflow: a counter that counts with its bit of IA32_PEBS_ENABLE set but does not
 * reach its end writes none, and the index stays at the base.
 *
 * One counter after the other is on while the block runs: in every second turn it starts far below its end, in the
 * others close to it but counts only at CPL 3, where nothing runs. Software would take such records for events that did
 * not happen.
 */
#include "harness/chapter/sampling.h"

#define FAR 0x1000000
#define ROUNDS 20

static bool one_pair(struct test *t)
{
    struct sampling s;
    unsigned pairs = sampling_some(t, &s);
    struct pebs_counter *c = &s.setup.counter[0];
    u64 aspects = t->turn % 2 ? 0 : ASPECT_SAMPLED_LEVEL;
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
