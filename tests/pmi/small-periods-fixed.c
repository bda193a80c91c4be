/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Small periods of the fixed counters, on all CPUs at once: each handler loads its counter with -period and starts it
 * again. Reference cycles with a period below 32 have kept a Nehalem in its handler for ever. On Haswell, with both
 * threads of a core handling PMIs of fixed counter 0 in step, its status bit has been set again when -1 or -2 was
 * written, although every counter was off, but not if 0 was written to the counter first. So each period is tried both
 * ways.
 *
 * How many PMIs a block raises, and how often the bit is set again while counters are off, is measured. As in
 * pmi.small-periods the counter counts only at CPL 3, and the handler gives up after MOST PMIs or GIVE_UP_US. It then
 * writes nothing: on Sandy Bridge and Ivy Bridge writing fixed counter 2 near its end alone raises a PMI (BJ77, BV35).
 *
 * Judged is that at least one PMI of fixed counter 0 comes.
 */
#include "harness/test.h"

#define K 100 /* 1,206 instructions at CPL 3 */
#define MOST 40
#define GIVE_UP_US 10000
#define AGAIN_MOST 4 /* limit for clearing the bit and writing the counter again */
#define ROUNDS 2

static const struct period {
    u8 fixed, period;
    bool from_0;
    const char *name; /* NULL: the number of PMIs is not logged */
} periods[] = {
    {0, 1, false, "fixed0-period-1"},
    {0, 1, true, "fixed0-period-1-from-0"},
    {0, 2, false, NULL},
    {0, 2, true, NULL},
    {0, 16, false, NULL},
    {0, 16, true, NULL},
    {0, 32, false, "fixed0-period-32"},
    {1, 1, false, "fixed1-period-1"},
    {2, 1, false, "fixed2-period-1"},
    {2, 32, false, "fixed2-period-32"},
};

static PER_CPU struct {
    struct counter counter;
    u64 period, end;
    bool from_0;
    u32 again; /* how often the bit was set again while all counters were off */
} sampling;

static void load(void)
{
    __typeof__(sampling) *s = &of_cpu(sampling, cpu_index());
    if (s->from_0)
        counter_write(s->counter, 0);
    counter_write(s->counter, counter_preset(s->counter, s->period));
}

static void next_period(struct pmi_record *record)
{
    __typeof__(sampling) *s = &of_cpu(sampling, cpu_index());
    (void)record;
    if (pmi_log()->count >= MOST || time_now() >= s->end)
        return;
    load();
    for (unsigned i = 0; i < AGAIN_MOST && (pmu_status() & BIT(s->counter.bit)); i++) {
        s->again++;
        pmu_status_clear(BIT(s->counter.bit));
        load();
    }
    wrmsr_try(MSR_PERF_GLOBAL_CTRL, BIT(s->counter.bit));
}

/* Returns how many PMIs a block raises. All CPUs begin it together. */
static u32 one_block(struct test *t, struct counter c, const struct period *row)
{
    struct switch_write start_stop = counters_switch(t->caps, BIT(c.bit));
    u64 period = row->period * budget().stretch;
    of_cpu(sampling, t->cpu) = (__typeof__(sampling)){.counter = c, .period = period, .from_0 = row->from_0};
    counter_setup(c, 0, COUNT_USR | COUNT_INT, counter_preset(c, period));
    pmi_open(PMI_NMI, PMI_ACK);
    pmi_hook(next_period);
    barrier(t);
    of_cpu(sampling, t->cpu).end = time_now() + time_ticks(GIVE_UP_US);
    workloads[0].run_user(&start_stop, K * budget().stretch);
    pmi_wait(1);
    settle();
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    u32 came = pmi_log()->count;
    pmi_close();
    counter_clear(c);
    pmu_status_clear(BIT(c.bit));
    return came;
}

static void one_period(struct test *t, const struct period *row)
{
    struct counter c = fixed_counter(t->caps, row->fixed);
    u32 came = one_block(t, c, row);
    if (!row->fixed)
        check_true(t, "none", came, came, "1 PMI or more", c.msr);
    if (budget().stretch != 1)
        return;
    if (row->name)
        measure(t, row->name, "pmis", came);
    if (!row->fixed)
        measure(t, row->from_0 ? "set-while-off-from-0" : "set-while-off", "times", of_cpu(sampling, t->cpu).again);
}

/* A CPU without a counter still meets the others at the barrier. */
static void small_periods(struct test *t)
{
    u32 rounds = budget().repeats > QUICK_REPEATS ? ROUNDS : 1;
    for (u32 round = 0; round < rounds; round++)
        for_each_row (periods, row)
            if (t->caps->fixed_bitmap >> row->fixed & 1)
                one_period(t, row);
            else
                barrier(t);
}

TEST("pmi.small-periods-fixed", .title = "PMIs of small sampling periods of the fixed counters, all CPUs in step",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 2", .covers = "B-050",
     .needs = {.version = 2, .fixed = true, .apic = true}, .scope = ALL_TOGETHER, .run = small_periods,
     .measures = true);
