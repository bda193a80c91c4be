/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Both threads of a core have the same counters, CCCRs and ESCRs. One thread makes its counter wrap: the other reads
 * OVF in the CCCR, and clears it for both. Then the first programs the counter to count loads of the other, which runs
 * the block: the first reads OVF. Not every wrap sets it, as drivers know: both are repeated, and each must see it
 * once.
 */
#include "harness/chapter/netburst.h"

static PER_CPU struct netburst_setup setups; /* one per pair, the first CPU's */

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

static u32 cccr_of(const struct netburst_pair *pair)
{
    return netburst_cccr(&of_cpu(setups, pair->cpu));
}

/* On the second CPU: has it seen the flag? */
static bool own_flag(struct test *t, const struct netburst_pair *pair)
{
    bool seen = false;
    if (pair->first)
        run(begin(t, false));
    barrier(t);
    if (pair->second) {
        seen = read_msr(t, cccr_of(pair)) & CCCR_OVF;
        write_msr(t, cccr_of(pair), 0);
    }
    barrier(t);
    if (pair->first)
        check_bit(t, "flag-not-cleared-by-other", cccr_of(pair), CCCR_OVF, false);
    barrier(t);
    return seen;
}

/* On the first CPU: has it seen the flag? */
static bool flag_of_other(struct test *t, const struct netburst_pair *pair)
{
    bool seen = false;
    if (pair->first)
        begin(t, true);
    barrier(t);
    if (pair->second)
        run(&of_cpu(setups, pair->cpu));
    barrier(t);
    if (pair->first) {
        seen = read_msr(t, cccr_of(pair)) & CCCR_OVF;
        netburst_stop(t->caps); /* before the bracket compares the other's registers, which are the same */
    }
    barrier(t);
    return seen;
}

static void shared(struct test *t)
{
    struct netburst_pair pair = netburst_find_pair(t);
    u32 own = 0, of_other = 0;
    for (u32 i = 0; i < NETBURST_WRAPS; i++)
        own += own_flag(t, &pair);
    for (u32 i = 0; i < NETBURST_WRAPS; i++)
        of_other += flag_of_other(t, &pair);
    if (pair.second)
        check_range(t, "flag-unseen-by-other", own, 1, NETBURST_WRAPS, cccr_of(&pair));
    if (pair.first)
        check_range(t, "no-flag-for-other", of_other, 1, NETBURST_WRAPS, cccr_of(&pair));
    netburst_skip_alone(t, &pair);
}

TEST("netburst.shared", .title = "Both threads of a core use the same counters",
     .spec = "SDM 3B, Performance Monitoring and Intel Hyper-Threading Technology in Processors Based on Intel "
             "NetBurst Microarchitecture",
     .needs = {.no_pmu = true, .netburst = true, .cpus = 2}, .scope = ALL_TOGETHER, .run = shared);
