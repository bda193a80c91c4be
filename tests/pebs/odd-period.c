/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any reset value works: also with a period that is not a multiple of 64 a counter writes one record per period. On
 * some CPUs records then come twice (BDM55, BDD53), so all other tests use multiples of 64.
 *
 * The block is half a period longer than three records need.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 3
#define PERIOD 1009

static bool one_sample(struct test *t)
{
    struct sampling s;
    struct sampling_pair pair = sampling_basic(t);
    u64 end;
    sampling_clear(t, &s);
    sampling_add(&s, &pair)->period = sampling_period(&pair, PERIOD) | 1;
    sample(t, &s, RECORDS);
    u32 count = sampling_count(&s, &end);
    check_range(about(t, ASPECT_ODD_PERIOD), "redundant", count, 1, RECORDS, pair.counter.msr);
    measure(t, "records-of-3", "records", count);
    return sampling_more(t, 1);
}

TEST("pebs.odd-period", .title = "A period that is not a multiple of 64 gives one record per period",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .needs = {.sampling = true}, .scope = EACH_CPU,
     .repeat = one_sample, .measures = true);
