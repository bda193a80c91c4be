/*
 * CCCR.OVF_PMI has a bit for each thread of the core: it sends the PMI to that thread, whichever made the counter wrap.
 * One makes its counter wrap with the other's bit set, again and again: the other gets a PMI in half of the cases at
 * least. How many come, and whether one comes where it wrapped and OVF is set, is measured: with a PMI asked for, the
 * flag may stay clear. LVTPC stays masked after it: with OVF set it might come again and again.
 */
#include "harness/chapter/netburst.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/per_cpu.h"
#include "kernel/interrupt/interrupt.h"

#define TRIES 8

static PER_CPU struct netburst_setup setups; /* of each pair, by its first CPU */

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

/* On the first: has its counter wrapped? On the second: has the PMI come? */
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
    netburst_stop(t->caps); /* before the other's registers, which are the same, are compared */
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

TEST("netburst.pmi-thread", .title = "The PMI of the other thread by CCCR.OVF_PMI",
     .spec = "SDM 3B, Performance Monitoring and Intel Hyper-Threading Technology in Processors Based on Intel "
             "NetBurst Microarchitecture",
     .needs = {.no_pmu = true, .netburst = true, .apic = true, .cpus = 2}, .scope = ALL_TOGETHER, .run = pmi_thread,
     .measures = true);
