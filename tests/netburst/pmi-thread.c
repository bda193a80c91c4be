/*
 * CCCR.OVF_PMI has a bit for each thread of the core. One makes its counter wrap with the other's bit set: both read
 * OVF in the CCCR. On which of the two a PMI comes is measured, as no log of such a CPU exists. LVTPC stays masked
 * after it: with OVF set it might come again and again.
 */
#include "harness/netburst.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/interrupt.h"

static struct netburst_setup setups[MAX_CPUS]; /* of each pair, by its first CPU */

static void wrap(struct test *t)
{
    struct netburst_setup *setup = &setups[t->cpu];
    struct sampled block;
    *setup = netburst_setup_of(t, 0);
    setup->pebs = false;
    setup->pmi_of_other = true;
    netburst_sample(t, setup, &block, NETBURST_ROUNDS);
}

static void look(struct test *t, const struct netburst_pair *pair)
{
    bool came = pmi_wait(1);
    measure(t, pair->first ? "pmi-where-it-wrapped" : "pmi-on-the-other", "0-or-1", came);
    check_bit(t, "no-flag-with-pmi", netburst_cccr(&setups[pair->cpu]), 31, true);
}

static void pmi_thread(struct test *t)
{
    struct netburst_pair pair = netburst_find_pair(t);
    pmi_listen(PMI_FIXED, 0);
    barrier(t);
    if (pair.first)
        wrap(t);
    barrier(t);
    if (pair.first || pair.second)
        look(t, &pair);
    barrier(t);
    interrupts_off();
    netburst_stop(t->caps); /* before the other's registers, which are the same, are compared */
    pmi_close();
    barrier(t);
    netburst_skip_alone(t, &pair);
}

TEST("netburst.pmi-thread", .title = "The PMI of the other thread by CCCR.OVF_PMI",
     .spec = "SDM 3B, Performance Monitoring and Intel Hyper-Threading Technology",
     .needs = {.no_pmu = true, .netburst = true, .apic = true, .cpus = 2}, .scope = ALL_TOGETHER, .run = pmi_thread,
     .measures = true);
