/*
 * A counter moves from sampling to plain counting and back, by its bit of IA32_PEBS_ENABLE alone. In between it wraps:
 * the bit of IA32_PERF_GLOBAL_STATUS is set, and the buffer stays as it is. Afterwards, with the status cleared and a
 * new sample-after value, records come again.
 */
#include "harness/sampling.h"

#define RECORDS 2
#define PERIOD 256
#define QUIET_US 10000

struct where {
    u32 turn;
    struct sampling_pair pair;
};

static bool there_and_back(struct test *t, void *argument)
{
    struct where *where = argument;
    struct counter counter = where->pair.counter;
    struct sampling s;
    sampling_clear(t, &s);
    sampling_add(&s, &where->pair)->period = PERIOD;
    sampling_begin(t, &s);
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    pebs_stop(&s.setup, QUIET_US);
    u64 sampled = pebs_written(&s.setup);
    pmu_status_clear(pmu_status());
    counter_write(counter, counter_preset(counter, PERIOD));
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    settle();
    check_equal(t, "recorded-while-plain", pebs_written(&s.setup), sampled, counter.msr);
    check_bit(t, "no-overflow", MSR_PERF_GLOBAL_STATUS, counter.bit, true);
    pmu_status_clear(pmu_status());
    counter_write(counter, counter_preset(counter, PERIOD));
    pebs_resume(&s.setup);
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    sampling_end(&s);
    check_true(t, "no-record-again", pebs_written(&s.setup) > sampled, pebs_written(&s.setup),
               "records after sampling was switched on again", counter.msr);
    return sampling_more(t, &where->turn, 1);
}

static void reconfigure_plain(struct test *t)
{
    struct where where = {.pair = sampling_need(t, PEBS_INSTRUCTIONS)};
    repeat_clean(t, there_and_back, &where);
}

TEST("pebs.reconfigure-plain", .title = "A counter moves from sampling to counting and back",
     .spec = "SDM 3B, Re-configuring PEBS Facilities", .needs = {.pebs = true}, .scope = EACH_CPU,
     .run = reconfigure_plain);
