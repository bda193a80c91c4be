/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The interrupt bit of a control asks for a PMI from when it is written, also if the counter is already counting: one
 * that is started without it, and gets it long before it overflows, raises a PMI, whose handler finds the counter's bit
 * in IA32_PERF_GLOBAL_STATUS. Nothing else is written in between. Counters of instructions take turns, beside others
 * with any control.
 *
 * Agents that share the PMU change their own bits of a control that others use as well.
 */
#include "harness/test.h"

#define EVENTS 4000
#define TURNS 3000 /* more instructions than the counter needs */

static bool one_counter(struct test *t)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = counters_for(t, ARCH_EVENT_INSTRUCTIONS, list);
    struct counter c = list[t->turn % n];
    if (!control_reads_back(t, c))
        return more_samples_of(t, n);
    under_test(t, BIT(c.bit), BIT(c.bit));
    pmi_listen(PMI_FIXED, PMI_ACK);
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, counter_preset(c, EVENTS));
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
    write_msr(t, counter_control(c), read_msr(t, counter_control(c)) | counter_pmi(c));
    spin(TURNS);
    if (check_delivered(t, c.msr))
        check_true(t, "no-status-bit", pmi_log()->record[0].status >> c.bit & 1, pmi_log()->record[0].status,
                   "this counter's bit set in IA32_PERF_GLOBAL_STATUS", c.msr);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    pmi_close();
    counter_clear(c);
    return more_samples_of(t, n);
}

TEST("pmi.int-while-running", .title = "An interrupt bit that is set while its counter counts asks for a PMI",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = one_counter,
     .aside = ASIDE_COUNTERS);
