/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sampling with small periods: the handler loads the counter with -period and starts it again each time. Some CPUs lose
 * overflows if the period is below 32 or 128, and each PMI takes some instructions to come, so how many PMIs a block
 * raises is measured for each period. The counter counts only at CPL 3, so that the handler does not overflow it again,
 * and the handler gives up after MOST PMIs or GIVE_UP_US. The block is long, because such a counter may miss some
 * instructions after each change of the ring (BDM120, SKL117).
 *
 * Judged is that at least one PMI comes for each period.
 */
#include "harness/test.h"

#define K 100 /* 1,206 instructions at CPL 3 */
#define MOST 40
#define GIVE_UP_US 10000

static const struct {
    const char *name;
    u64 period;
} periods[] = {{"period-1", 1}, {"period-2", 2}, {"period-8", 8}, {"period-32", 32}, {"period-64", 64}};

static struct {
    u64 period, end;
} sampling[MAX_CPUS];

static void next_period(struct pmi_record *record)
{
    u32 cpu = cpu_index();
    struct counter c = gp_counter(pmu_caps(), 0);
    (void)record;
    if (pmi_log()->count >= MOST || time_now() >= sampling[cpu].end)
        return;
    counter_write(c, counter_preset(c, sampling[cpu].period));
    wrmsr_try(MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
}

static bool one_period(struct test *t)
{
    unsigned row = t->turn % ARRAY_SIZE(periods);
    struct counter c = gp_counter(t->caps, 0);
    struct switch_write start_stop = counters_switch(t->caps, BIT(c.bit));
    u64 period = periods[row].period * budget().stretch;
    sampling[t->cpu].period = period;
    sampling[t->cpu].end = time_now() + time_ticks(GIVE_UP_US);
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_USR | COUNT_INT, counter_preset(c, period));
    pmi_open(PMI_NMI, PMI_ACK);
    pmi_hook(next_period);
    workloads[0].run_user(&start_stop, K * budget().stretch);
    pmi_wait(1);
    settle();
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    u32 came = pmi_log()->count;
    check_true(t, "none", came, came, "1 PMI or more", c.msr);
    if (budget().stretch == 1)
        measure(t, periods[row].name, "pmis", came);
    pmi_close();
    pmu_status_clear(BIT(c.bit));
    return more_samples(t);
}

TEST("pmi.small-periods", .title = "PMIs of small sampling periods",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-050,A-109,A-112",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = one_period, .measures = true);
