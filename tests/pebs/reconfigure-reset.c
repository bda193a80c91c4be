/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Only the reset value changes, in the DS area: after a stop and a quiescent period it is set to a quarter of the old
 * period. From the next record on the counter is loaded with it. The second block is four and a half of the old periods
 * long: it gives one more record after an old period, then at least eleven after new ones, instead of four in all. It
 * ends between two overflows.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 4
#define QUARTER 256 /* of the old period */
#define QUIET_US 10000
#define LEAST 8
#define MOST 18

static bool one_change(struct test *t)
{
    struct sampling_pair pair = sampling_basic(t);
    struct counter counter = pair.counter;
    u64 quarter = sampling_period(&pair, QUARTER);
    struct sampling s;
    u64 end;
    sampling_clear(t, &s);
    sampling_add(&s, &pair)->period = 4 * quarter;
    sampling_begin(t, &s);
    sampling_run(&s, sampling_rounds(&s, 1));
    pebs_stop(&s.setup, QUIET_US);
    u32 before = sampling_count(&s, &end);
    ds_put_reset(&s.setup.area.layout, s.setup.area.management, counter.fixed, counter.index,
                 counter_preset(counter, quarter));
    pebs_resume(&s.setup);
    sampling_run(&s, sampling_rounds(&s, RECORDS) - quarter / 2 / sampling_a_round(&pair));
    sampling_end(&s);
    check_range(t, "records-at-the-new-distance", sampling_count(&s, &end) - before, LEAST, MOST, counter.msr);
    return sampling_more(t, 1);
}

TEST("pebs.reconfigure-reset", .title = "A new reset value applies from the next record on",
     .spec = "SDM 3B, Re-configuring PEBS Facilities", .needs = {.pebs = true}, .scope = EACH_CPU,
     .repeat = one_change);
