/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How long a PMI takes is not promised: some hundred instructions and some microseconds are normal. It is measured in
 * TSC ticks from before the block to the handler, and in instructions that still retire after the overflow. For the
 * latter the counter counts only at CPL 3 and NMI delivery is used, so the handler itself is not counted.
 *
 * Judged is that every PMI comes.
 */
#include "harness/test.h"

#define K 80 /* 966 instructions: a PMI may come some hundred after the overflow */

static u64 skid[MAX_CPUS];

static void read_counter(struct pmi_record *record)
{
    (void)record;
    skid[cpu_index()] = counter_read(gp_counter(pmu_caps(), 0));
}

static bool sample(struct test *t)
{
    struct counter c = gp_counter(t->caps, 0);
    struct switch_write start_stop = counters_switch(t->caps, BIT(c.bit));
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_USR | COUNT_INT, counter_preset(c, PROVOKE_EVENTS));
    pmi_open(PMI_NMI, PMI_ACK);
    pmi_hook(read_counter);
    u64 start = time_now();
    workloads[0].run_user(&start_stop, K);
    if (check_delivered(t, c.msr)) {
        measure(t, "latency", "ticks", pmi_log()->record[0].tsc - start);
        measure(t, "skid", "instructions", skid[t->cpu]);
    }
    pmi_close();
    return true;
}

TEST("pmi.latency", .title = "Latency and skid of the PMI",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "B-048",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU_IN_TURN, .repeat = sample, .measures = true);
