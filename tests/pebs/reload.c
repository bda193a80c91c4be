/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * After each record the hardware loads the counter with its reset value from the DS area. The block ends half a period
 * after the last record: the counter is then between its reset value and its end. If it is not reloaded, it counts up
 * from 0, and no second record comes for a very long time.
 *
 * The record also ends the overflow: the counter's bit of IA32_PERF_GLOBAL_STATUS is clear again. (If another counter
 * overflows at the same time it need not be; here none does.) For architectural PEBS nothing public says what happens
 * to that bit: there it is measured.
 *
 * The reset value in the DS area is one and a half times as far from the end as the counter's first value, so that one
 * cannot be mistaken for the other. Or it is so far that all its bits differ, and one record comes.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 3
#define DISTANT 0x2aaa55550100 /* any bits of a reset value */

static bool one_pair(struct test *t)
{
    struct sampling s;
    unsigned pairs = sampling_some(t, &s);
    struct pebs_counter *c = &s.setup.counter[0];
    c->first = c->period + c->period / 2;
    if (t->turn / pairs % 2 && !apebs_usable(t->caps))
        c->period = DISTANT & (counter_mask(c->counter.width) >> 1);
    sample(t, &s, c->period > c->first ? 1 : RECORDS);
    u64 reset = counter_preset(c->counter, c->period);
    u64 last = c->period > c->first ? reset + 2 * c->first : counter_mask(c->counter.width);
    if (check_recorded(t, &s))
        check_range(t, "not-reloaded", counter_read(c->counter), reset, last, c->counter.msr);
    if (apebs_usable(t->caps))
        measure(t, "overflow-bit", "0-or-1", pmu_status() >> c->counter.bit & 1);
    else
        check_bit(about(t, ASPECT_SAMPLED_STATUS), "overflow-bit-left", MSR_PERF_GLOBAL_STATUS, BIT(c->counter.bit),
                  false);
    return sampling_more(t, 2 * pairs);
}

TEST("pebs.reload", .title = "The counter is loaded with its reset value after each record",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .covers = "B-082", .needs = {.sampling = true},
     .scope = EACH_CPU, .repeat = one_pair, .cells = CELL_RINGS, .measures = true, .aside = ASIDE_SAMPLING);
