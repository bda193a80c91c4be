/*
 * After each record the hardware loads the counter with its reset value from the DS area. The block ends half a period
 * after the last record: the counter then lies between its reset value and its end. Not reloaded, it counts up from 0,
 * and no second record would come for a very long time.
 *
 * The overflow that led to the record is over then: the counter's bit of IA32_PERF_GLOBAL_STATUS is clear again. (With
 * another counter overflowing at the same time it need not be; here there is none.) Of architectural PEBS nothing
 * public tells what becomes of that bit: it is measured there.
 *
 * The reset value in the DS area is half as far from the end again as the one that the counter starts with, so that one
 * cannot pass for the other.
 */
#include "harness/chapter/sampling.h"
#include "pmu/cpu/apebs.h"

#define RECORDS 3

static bool one_pair(struct test *t)
{
    struct sampling s;
    unsigned pairs = sampling_some(t, &s);
    struct pebs_counter *c = &s.setup.counter[0];
    c->first = c->period + c->period / 2;
    sample(t, &s, RECORDS);
    u64 last = counter_mask(c->counter.width);
    if (check_recorded(t, &s))
        check_range(t, "not-reloaded", counter_read(c->counter), counter_preset(c->counter, c->period), last,
                    c->counter.msr);
    if (apebs_usable(t->caps))
        measure(t, "overflow-bit", "0-or-1", pmu_status() >> c->counter.bit & 1);
    else
        check_bit(about(t, ASPECT_SAMPLED_STATUS), "overflow-bit-left", MSR_PERF_GLOBAL_STATUS, BIT(c->counter.bit),
                  false);
    return sampling_more(t, pairs);
}

TEST("pebs.reload", .title = "The counter is loaded with its reset value after each record",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .covers = "B-082", .needs = {.sampling = true},
     .scope = EACH_CPU, .repeat = one_pair, .cells = CELL_RINGS, .measures = true);
