/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter changes from sampling to plain counting and back, by its bit of IA32_PEBS_ENABLE alone. In between it
 * wraps: its bit of IA32_PERF_GLOBAL_STATUS is set, and the buffer stays unchanged. Afterwards, with the status cleared
 * and a new sample-after value, records come again.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 2
#define PERIOD 256
#define QUIET_US 10000

static bool there_and_back(struct test *t)
{
    struct sampling_pair pair = sampling_basic(t);
    struct counter counter = pair.counter;
    u64 period = sampling_period(&pair, PERIOD);
    struct sampling s;
    sampling_clear(t, &s);
    sampling_add(&s, &pair)->period = period;
    sampling_begin(t, &s);
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    pebs_stop(&s.setup, QUIET_US);
    u64 sampled = pebs_written(&s.setup);
    pmu_status_clear(pmu_status());
    counter_write(counter, counter_preset(counter, period));
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    settle();
    check_equal(t, "recorded-while-plain", pebs_written(&s.setup), sampled, counter.msr);
    check_bit(t, "no-overflow", MSR_PERF_GLOBAL_STATUS, BIT(counter.bit), true);
    pmu_status_clear(pmu_status());
    counter_write(counter, counter_preset(counter, period));
    pebs_resume(&s.setup);
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    sampling_end(&s);
    check_true(t, "no-record-again", pebs_written(&s.setup) > sampled, pebs_written(&s.setup),
               "records after sampling was switched on again", counter.msr);
    return sampling_more(t, 1);
}

TEST("pebs.reconfigure-plain", .title = "A counter changes from sampling to counting and back",
     .spec = "SDM 3B, Re-configuring PEBS Facilities", .needs = {.sampling = true}, .scope = EACH_CPU,
     .repeat = there_and_back);
