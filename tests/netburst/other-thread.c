/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An ESCR has enable bits for each thread of the core. With only those for the other thread set, a counter does not
 * count what this thread executes: it starts 32 loads below its end, this thread runs a block of many more, and OVF
 * stays clear. The block runs at CPL 3, and only loads at CPL 3 are counted: the other thread, which mostly sleeps,
 * executes none when it wakes. How far the counter moved is measured.
 */
#include "harness/chapter/netburst.h"

#define K 64 /* at least as many loads */

static bool one_run(struct test *t)
{
    struct netburst_setup setup = netburst_setup_of(t, 0);
    setup.pebs = false;
    setup.of_other = true;
    setup.os = false;
    setup.user = true;
    if (!netburst_begin(&setup))
        error_for(t, REASON_OPTION_MEMORY, "no memory for the DS area");
    workload("memory")->run_user(&setup.start_stop, K);
    netburst_end(&setup, PEBS_QUIET_US);
    check_bit(t, "flag-by-other-thread", netburst_cccr(&setup), CCCR_OVF, false);
    measure(t, "counted-of-the-other", "loads", (read_msr(t, netburst_counter(&setup)) + setup.period) & MASK(39, 0));
    write_msr(t, netburst_cccr(&setup), 0);
    return sampling_more(t, 1);
}

static void need_two_threads(struct test *t)
{
    if (t->caps->threads_per_core < 2)
        skip(t, "CPUID.1:EBX[23:16], CPUID.4:EAX[31:26]: %u threads per core, two are needed",
             t->caps->threads_per_core);
}

TEST("netburst.other-thread", .title = "A counter enabled for the other thread does not count this one",
     .spec = "SDM 3B, Performance Monitoring and Intel Hyper-Threading Technology in Processors Based on Intel "
             "NetBurst Microarchitecture",
     .needs = {.no_pmu = true, .netburst = true}, .scope = EACH_CPU_IN_TURN, .prepare = need_two_threads,
     .repeat = one_run, .measures = true);
