/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter whose handler loads it with -period each time raises a PMI for each period. A handler is late by its PMI's
 * skid, and a counter of CPL 3 may miss some instructions after each change of the ring (BDM120, SKL117); both make
 * periods some hundred instructions longer. So a third as many PMIs as periods in the block are enough. One lost PMI
 * ends them all: the counter then continues from 0 and has a long way to its end. More PMIs are legal.
 *
 * Short periods, at which some CPUs lose overflows, are the subject of pmi.small-periods. The counters take turns.
 */
#include "harness/test.h"

#define PERIOD 1024
#define PERIODS 9
#define K 768 /* 9,222 instructions at CPL 3 */

struct sampling {
    struct counter counter;
    u64 period;
};
static PER_CPU struct sampling sampling;

static void next_period(struct pmi_record *record)
{
    const struct sampling *s = &of_cpu(sampling, cpu_index());
    (void)record;
    if (pmi_log()->count > PERIODS)
        return;
    counter_write(s->counter, counter_preset(s->counter, s->period));
    wrmsr_try(MSR_PERF_GLOBAL_CTRL, BIT(s->counter.bit));
}

static bool one_counter(struct test *t)
{
    struct sampling *s = &of_cpu(sampling, t->cpu);
    *s = (struct sampling){gp_in_turn(t, t->turn), PERIOD * budget().stretch};
    struct switch_write start_stop = counters_switch(t->caps, BIT(s->counter.bit));
    counter_setup(s->counter, ARCH_EVENT_INSTRUCTIONS, COUNT_USR | COUNT_INT, counter_preset(s->counter, s->period));
    pmi_open(PMI_NMI, PMI_ACK);
    pmi_hook(next_period);
    workloads[0].run_user(&start_stop, K * budget().stretch);
    settle();
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    u32 came = pmi_log()->count;
    check_true(about(t, ASPECT_USR_ALONE), "lost", came >= PERIODS / 3, came, "3 PMIs or more in 9 periods",
               s->counter.msr);
    measure(t, "pmis", "of-9-periods", came);
    pmi_close();
    pmu_status_clear(BIT(s->counter.bit));
    counter_clear(s->counter);
    return more_samples_of(t, t->caps->gp_count);
}

TEST("pmi.periods", .title = "Sampling raises a PMI for each period",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-050,A-109,A-112",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = one_counter, .measures = true);
