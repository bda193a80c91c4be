/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Each overflow gives one record, also if the sampled event is counted by cycles: with INV set and CMASK above what can
 * retire at once it is nearly the number of cycles, as profilers count them. On some CPUs several records come for one
 * overflow if the reset value is closer than 1000 to the end (SKL161, BDM130).
 *
 * A counter with a CMASK counts one a cycle at most, so there are no more overflows than periods in the cycles that a
 * counter beside it counts at all levels. That there are fewer is not judged: arming and the record take cycles.
 */
#include "harness/chapter/probing.h"
#include "harness/chapter/sampling.h"

#define PERIOD 512 /* a multiple of 64, because of BDM55 */
#define CMASK 16
#define ROUNDS 128

static bool one_sample(struct test *t)
{
    struct sampling_pair pair = sampling_basic(t);
    struct counter cycles = sampling_beside(t, &pair);
    struct sampling s;
    u64 end;
    sampling_clear(t, &s);
    struct pebs_counter *c = sampling_add(&s, &pair);
    c->period = PERIOD;
    c->qualifiers = EVTSEL_INV | EVTSEL_CMASK(CMASK);
    s.others = BIT(cycles.bit);
    sampling_begin(t, &s);
    counter_setup(cycles, ARCH_EVENT_CORE_CYCLES, COUNT_OS | COUNT_USR, 0);
    s.setup.start_stop = counters_switch(t->caps, BIT(pair.counter.bit) | BIT(cycles.bit));
    sampling_run(&s, ROUNDS);
    sampling_end(&s);
    u64 overflows = counter_read(cycles) / PERIOD + 1;
    counter_clear(cycles);
    u32 count = sampling_count(&s, &end);
    check_range(about(t, ASPECT_CYCLES_RECORD), "redundant", count, 0, overflows, pair.counter.msr);
    measure(t, "overflows", "overflows", overflows);
    measure(t, "records", "records", count);
    return sampling_more(t, 1);
}

TEST("errata.record-by-cycles", .title = "An overflow of an event counted by cycles gives one record",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .covers = "B-088",
     .needs = {.sampling = true, .event = 1, .probe = true, .told = 1 + FACT_REDUNDANT_BY_CYCLES}, .scope = EACH_CPU,
     .repeat = one_sample, .measures = true);
