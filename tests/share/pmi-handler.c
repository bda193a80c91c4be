/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The handler of one agent's PMI stops that agent's counters, and no others: the software freeze of the sharing guide.
 * A second agent's counter stays on, with its control and its overflow bit unchanged, both are still in use, and after
 * the first one continues both count as before.
 */
#include "harness/chapter/sharing.h"

#define K 10 /* 10 iterations retire more branches than the preset */
#define PRESET 8

static void give_preset(struct agent *agent)
{
    struct counter c = agent->claim[0].counter;
    counter_write(c, counter_preset(c, PRESET));
}

static u64 status_of(struct counter c)
{
    return pmu_status() & BIT(c.bit);
}

static void both_overflow(struct test *t, struct agent *sampler, struct agent *other)
{
    struct counter mine = sampler->claim[0].counter, his = other->claim[0].counter;
    give_preset(sampler);
    give_preset(other);
    pmi_listen(PMI_FIXED, 0);
    agent_start(other);
    agent_count(sampler, K);
    agent_start(sampler);
    bool came = pmi_came();
    u64 overflowed = agent_on_pmi(sampler);
    u64 global = read_msr(t, MSR_PERF_GLOBAL_CTRL);
    check_true(t, "no-pmi", came, 0, "a PMI", mine.msr);
    check_equal(t, "overflow-not-taken", overflowed, BIT(mine.bit), MSR_PERF_GLOBAL_STATUS);
    check_equal(t, "own-bit-left", status_of(mine), 0, MSR_PERF_GLOBAL_STATUS);
    check_equal(t, "other-bit-taken", status_of(his), BIT(his.bit), MSR_PERF_GLOBAL_STATUS);
    check_equal(t, "other-switched-off", global, BIT(his.bit), MSR_PERF_GLOBAL_CTRL);
    if (t->caps->version >= VERSION_STREAMLINED)
        check_bits(t, "no-longer-in-use", MSR_PERF_GLOBAL_INUSE, BIT(mine.bit) | BIT(his.bit),
                   BIT(mine.bit) | BIT(his.bit));
    check_equal(t, "other-reprogrammed", agent_verify(other), 0, 0);
    agent_stop(other);
    agent_on_pmi(other);
    pmi_close();
}

static void pmi_handler(struct test *t)
{
    struct agent sampler = {.name = "sampler"}, other = {.name = "other"};
    struct counter c;
    if (t->caps->gp_count < 2)
        skip(t, "CPUID.0AH:EAX=0x%08x: two counters are needed", t->caps->leaf0a.eax);
    if (agent_obtain(&sampler, &wish_sampling, &c) != OBTAINED_OWN ||
        agent_obtain(&other, &wish_branches, &c) != OBTAINED_OWN)
        no_counter(t);
    both_overflow(t, &sampler, &other);
    agent_release_all(&sampler);
    agent_release_all(&other);
}

TEST("share.pmi-handler", .title = "A handler stops its own agent's counters and no others",
     .spec = "PMU Sharing Guide, Sharing Guidelines", .covers = "B-022",
     .needs = {.version = 2, .event = 6, .apic = true}, .scope = EACH_CPU, .run = pmi_handler);
