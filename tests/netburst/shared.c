/*
 * Both threads of a core have the same counters, CCCRs and ESCRs. One makes its counter wrap: the other reads OVF in
 * the CCCR, and clears it for both. Then the first programs the counter for loads of the other, which runs the block:
 * the first reads OVF.
 */
#include "harness/netburst.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/per_cpu.h"

static PER_CPU struct netburst_setup setups; /* of each pair, by its first CPU */

static struct netburst_setup *begin(struct test *t, bool of_other)
{
    struct netburst_setup *setup = &of_cpu(setups, t->cpu);
    *setup = netburst_setup_of(t, 0);
    setup->pebs = false;
    setup->of_other = of_other;
    if (!netburst_begin(setup))
        error_for(t, REASON_OPTION_MEMORY, "no memory for the DS area");
    return setup;
}

static void run(const struct netburst_setup *setup)
{
    struct sampled block;
    sampled_prepare(&block, NETBURST_ROUNDS);
    sampled_run(&setup->start_stop, &block);
}

static void own_flag(struct test *t, const struct netburst_pair *pair)
{
    if (pair->first)
        run(begin(t, false));
    barrier(t);
    if (pair->second) {
        check_bit(t, "flag-unseen-by-other", netburst_cccr(&of_cpu(setups, pair->cpu)), 31, true);
        write_msr(t, netburst_cccr(&of_cpu(setups, pair->cpu)), 0);
    }
    barrier(t);
    if (pair->first)
        check_bit(t, "flag-not-cleared-by-other", netburst_cccr(&of_cpu(setups, pair->cpu)), 31, false);
    barrier(t);
}

static void flag_of_other(struct test *t, const struct netburst_pair *pair)
{
    if (pair->first)
        begin(t, true);
    barrier(t);
    if (pair->second)
        run(&of_cpu(setups, pair->cpu));
    barrier(t);
    if (pair->first) {
        check_bit(t, "no-flag-for-other", netburst_cccr(&of_cpu(setups, pair->cpu)), 31, true);
        netburst_stop(t->caps); /* before the other's registers, which are the same, are compared */
    }
    barrier(t);
}

static void shared(struct test *t)
{
    struct netburst_pair pair = netburst_find_pair(t);
    own_flag(t, &pair);
    flag_of_other(t, &pair);
    netburst_skip_alone(t, &pair);
}

TEST("netburst.shared", .title = "Both threads of a core use the same counters",
     .spec = "SDM 3B, Performance Monitoring and Intel Hyper-Threading Technology in Processors Based on Intel "
             "NetBurst Microarchitecture",
     .needs = {.no_pmu = true, .netburst = true, .cpus = 2}, .scope = ALL_TOGETHER, .run = shared);
