/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The precise distribution samples instructions with any period: each record is of the code that was counted, and each
 * overflow gives one. On some CPUs records, PMIs or values of the counter are wrong if the period is below 100 (BJ103,
 * HSD11, BDM11), so all other tests use longer ones.
 *
 * The counted code is the block's loop and a few instructions around it, so it is known how many periods it can have at
 * most. Fewer records are not judged: arming takes some instructions.
 */
#include "harness/chapter/probing.h"
#include "harness/chapter/sampling.h"

#define PERIOD 64 /* a multiple of 64, because of BDM55 */
#define ROUNDS 24
#define AROUND 2 /* periods that begin around the loop, or at its start */

static bool one_sample(struct test *t)
{
    struct sampling_pair pair;
    struct sampling s;
    u64 end;
    if (!sampling_precise(t, 0, &pair))
        skip(t, "signature %08x: no event is known for the counters with the precise distribution", t->caps->signature);
    sampling_clear(t, &s);
    sampling_add(&s, &pair)->period = PERIOD;
    sampling_begin(t, &s);
    sampling_run(&s, ROUNDS);
    sampling_end(&s);
    u64 most = ROUNDS * SAMPLED_INSTRUCTIONS / PERIOD + AROUND;
    u32 count = sampling_count(&s, &end);
    check_range(about(t, ASPECT_SHORT_PRECISE), "too-many", count, 0, most, pair.counter.msr);
    measure(t, "records", "records", count);
    for_each_record (&s, record)
        check_true(about(t, ASPECT_SHORT_PRECISE), "elsewhere", sampled_holds(record.ip), record.ip,
                   "an address in the counted code", 0);
    return sampling_more(t, 1);
}

TEST("errata.short-precise", .title = "The precise distribution samples with short periods, too",
     .spec = "SDM 3B, Precise Distribution of Instructions Retired (PDIR)", .covers = "B-081",
     .needs = {.sampling = true, .precise = true, .probe = true, .told = 1 + FACT_SHORT_PRECISE}, .scope = EACH_CORE,
     .repeat = one_sample, .measures = true);
