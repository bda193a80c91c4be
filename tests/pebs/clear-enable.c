/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With its bit of IA32_PEBS_ENABLE cleared, or with architectural PEBS the bit in its CFG_C, a counter is like any
 * other: it overflows, its bit of IA32_PERF_GLOBAL_STATUS is set, and no record is written. The overflow comes long
 * after the write, and other counters that sample stay enabled. The next overflow, with the counter's interrupt bit
 * set, raises a PMI; while the counter samples that bit must be clear. All counters that can sample take turns.
 *
 * Up to Nehalem the block itself clears the bit, right after the start, while the counter counts. On CPUs with the
 * precise distribution or reduced skid a sampling counter may only be re-programmed while it stands still: there the
 * counters are stopped for the write and started again after it.
 */
#include "harness/chapter/sampling.h"

#define FAR 2 /* periods until the overflow */

static void run_and_clear(struct test *t, struct sampling *s)
{
    u64 rounds = sampling_rounds(s, 1), before = rounds / (2 * FAR);
    if (pebs_clears_while_counting(t->caps)) {
        s->block.then_msr = MSR_PEBS_ENABLE;
        s->block.then_value = read_msr(t, MSR_PEBS_ENABLE) & ~BIT(s->setup.counter[0].counter.bit);
        sampling_run(s, rounds);
        return;
    }
    sampling_run(s, before);
    pebs_leave_first(&s->setup);
    sampling_run(s, rounds - before);
}

static void interrupts_again(struct test *t, struct counter counter)
{
    pmu_status_clear(BIT(counter.bit));
    pmi_listen(PMI_FIXED, PMI_ACK);
    provoke_overflow(t, counter, COUNT_OS | COUNT_INT);
    check_delivered(t, counter.msr);
    pmi_close();
}

static bool one_sample(struct test *t)
{
    struct sampling_pair pair;
    unsigned counters = sampling_counter(t, t->turn + t->position, &pair);
    struct counter counter = pair.counter;
    struct sampling s;
    sampling_clear(t, &s);
    struct pebs_counter *c = sampling_add(&s, &pair);
    c->first = FAR * c->period;
    sampling_begin(t, &s);
    run_and_clear(t, &s);
    sampling_end(&s);
    check_bit(t, "no-overflow", MSR_PERF_GLOBAL_STATUS, BIT(counter.bit), true);
    interrupts_again(t, counter);
    check_equal(about(t, ASPECT_DISABLED_RECORDS), "recorded-although-off", pebs_written(&s.setup), 0, counter.msr);
    return sampling_more(t, counters);
}

static void need_any(struct test *t)
{
    struct sampling_pair pair;
    if (!sampling_counter(t, 0, &pair))
        skip(t, "signature %08x: nothing can be sampled at any time", t->caps->signature);
}

TEST("pebs.clear-enable", .title = "With its enable bit cleared a counter overflows and writes no record",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .covers = "A-125,B-087",
     .needs = {.sampling = true, .apic = true}, .scope = EACH_CPU, .prepare = need_any, .repeat = one_sample);
