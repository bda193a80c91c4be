/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The cost of two ways to acknowledge a PMI in its handler, in TSC ticks: that of version 4, one write to
 * IA32_PERF_GLOBAL_STATUS_RESET that clears the overflow and CTR_FRZ together; and the older one, which stops the
 * counters by IA32_PERF_GLOBAL_CTRL, clears the overflow and starts them again. Measured inside the handler, counters
 * running.
 *
 * Judged is that after either the counters can run and no overflow bit is set.
 */
#include "harness/test.h"

static struct flow {
    u64 counters, ticks;
    bool by_global_ctrl;
} flows[MAX_CPUS];

static void acknowledge(struct pmi_record *record)
{
    struct flow *flow = &flows[cpu_index()];
    u64 start = time_now();
    if (flow->by_global_ctrl)
        wrmsr_try(MSR_PERF_GLOBAL_CTRL, 0);
    pmu_status_clear(record->status);
    if (flow->by_global_ctrl)
        wrmsr_try(MSR_PERF_GLOBAL_CTRL, flow->counters);
    flow->ticks = time_now() - start;
}

static void measure_flow(struct test *t, bool by_global_ctrl)
{
    struct counter c = gp_counter(t->caps, 0);
    flows[t->cpu] = (struct flow){.counters = BIT(c.bit), .by_global_ctrl = by_global_ctrl};
    u64 found = freeze_begin(by_global_ctrl ? 0 : DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    pmi_listen(PMI_FIXED, PMI_UNMASK);
    pmi_hook(acknowledge);
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_INT, counter_preset(c, PROVOKE_EVENTS));
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
    if (check_delivered(about(t, ASPECT_FREEZE), c.msr)) {
        measure(t, by_global_ctrl ? "global-ctrl" : "streamlined", "ticks", flows[t->cpu].ticks);
        check_bits(about(t, ASPECT_FREEZE | ASPECT_STATUS_BIT), "not-acknowledged", MSR_PERF_GLOBAL_STATUS,
                   BIT(c.bit) | STATUS_CTR_FRZ, 0);
        check_bit(about(t, ASPECT_FREEZE), "stopped", MSR_PERF_GLOBAL_CTRL, BIT(c.bit), true);
    }
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    pmi_close();
    freeze_end(found);
}

static bool both_flows(struct test *t)
{
    measure_flow(t, false);
    measure_flow(t, true);
    return more_samples(t);
}

TEST("freeze.flow-cost", .title = "Cost of acknowledging a PMI by CTR_FRZ and by GLOBAL_CTRL",
     .spec = "SDM 3B, Freezing LBR and Performance Counters on PMI", .covers = "B-036",
     .needs = {.version = 4, .event = 2, .apic = true}, .scope = EACH_CPU, .prepare = need_freeze, .repeat = both_flows,
     .measures = true);
