/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CCCR.OVF_PMI has a bit for each thread of the core: the PMI goes to that thread, whichever made the counter wrap. One
 * thread makes its counter wrap with the other's bit set, several times: the other gets a PMI at least half of the
 * times. How many come, whether the thread itself gets one, and whether OVF is set, is measured: when a PMI is
 * requested the flag may stay clear. LVTPC stays masked after the PMI: with OVF set it might come again and again.
 */
#include "harness/chapter/netburst.h"

#define TRIES 8

static PER_CPU struct netburst_setup setups; /* one per pair, the first CPU's */

static bool wrap(struct test *t)
{
    struct netburst_setup *setup = &of_cpu(setups, t->cpu);
    struct sampled block;
    *setup = netburst_setup_of(t, 0);
    setup->pebs = false;
    setup->pmi_of_other = true;
    netburst_sample(t, setup, &block, NETBURST_ROUNDS);
    return netburst_wrapped(t, setup);
}

static bool look(struct test *t, const struct netburst_pair *pair)
{
    bool came = pmi_wait(1);
    measure(t, pair->first ? "pmi-where-it-wrapped" : "pmi-on-the-other", "0-or-1", came);
    measure(t, "ovf-with-pmi", "0-or-1", !!(read_msr(t, netburst_cccr(&of_cpu(setups, pair->cpu))) & CCCR_OVF));
    return came;
}

/* On the first CPU: has its counter wrapped? On the second: has the PMI come? */
static bool one_try(struct test *t, const struct netburst_pair *pair)
{
    bool wrapped = false, came = false;
    pmi_listen(PMI_FIXED, 0);
    barrier(t);
    if (pair->first)
        wrapped = wrap(t);
    barrier(t);
    if (pair->first || pair->second)
        came = look(t, pair);
    barrier(t);
    interrupts_off();
    netburst_stop(t->caps); /* before the bracket compares the other's registers, which are the same */
    pmi_close();
    barrier(t);
    return pair->first ? wrapped : came;
}

static void pmi_thread(struct test *t)
{
    struct netburst_pair pair = netburst_find_pair(t);
    u32 times = 0;
    for (unsigned i = 0; i < TRIES; i++)
        times += one_try(t, &pair);
    netburst_skip_alone(t, &pair);
    if (pair.first)
        check_equal(t, "not-wrapped", times, TRIES, netburst_counter(&of_cpu(setups, pair.cpu)));
    else
        check_range(t, "not-delivered-to-other", times, TRIES / 2, TRIES, netburst_cccr(&of_cpu(setups, pair.cpu)));
}

TEST("netburst.pmi-thread", .title = "CCCR.OVF_PMI sends the PMI to the other thread",
     .spec = "SDM 3B, Performance Monitoring and Intel Hyper-Threading Technology in Processors Based on Intel "
             "NetBurst Microarchitecture",
     .needs = {.no_pmu = true, .netburst = true, .apic = true, .cpus = 2}, .scope = ALL_TOGETHER, .run = pmi_thread,
     .measures = true);
