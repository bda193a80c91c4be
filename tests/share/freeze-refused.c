/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Freezing on a PMI stops everybody's counters. An agent may therefore use IA32_DEBUGCTL[12] only while nobody else has
 * claimed a counter, which it sees from the registers: tested alone, with a general-purpose counter that somebody has
 * claimed but not started, with a claimed fixed counter, and alone again.
 */
#include "harness/chapter/sharing.h"

static void ask(struct test *t, const struct agent *agent, bool alone, u32 msr)
{
    struct pmu_state state;
    agent_poll(t->caps, &state);
    u64 others = agent_others(t->caps, &state, agent_counters(agent));
    if (alone)
        check_equal(about(t, ASPECT_IN_USE), "refused-alone", others, 0, msr);
    else
        check_true(about(t, ASPECT_IN_USE), "allowed-beside-others", others, state.in_use, "another counter in use",
                   msr);
}

/* Somebody else claims by this register, and releases it. Until it reads as before, nobody can see that. */
static bool beside(struct test *t, const struct agent *agent, u32 msr, u64 claim)
{
    u64 found = read_msr(t, msr);
    write_msr(t, msr, found | claim);
    ask(t, agent, false, msr);
    write_msr(t, msr, found);
    u64 left = read_msr(t, msr);
    if (left == found)
        ask(t, agent, true, msr);
    return left == found;
}

static bool freeze_refused(struct test *t)
{
    struct agent agent = {.name = "sampler"};
    struct counter c;
    if (agent_obtain(&agent, &wish_sampling, &c) != OBTAINED_OWN)
        no_counter(t);
    ask(t, &agent, true, c.msr);
    for_each_gp_counter (t, n)
        if (n != c.bit && class_evtsel_reads_back(t->caps, n))
            beside(t, &agent, MSR_PERFEVTSEL(n), EVTSEL_EVENT(0x3c));
    for_each_fixed_counter (t, i)
        if (i < INUSE_FIXED_NAMED && 32 + i != c.bit)
            beside(t, &agent, MSR_FIXED_CTR_CTRL, FIXED_OS(i));
    agent_release_all(&agent);
    return more_samples(t);
}

TEST("share.freeze-refused", .title = "An agent freezes on PMI only while nobody else has claimed a counter",
     .spec = "PMU Sharing Guide, Sharing Guidelines", .covers = "S-004", .needs = {.version = 2, .event = 6},
     .scope = EACH_CPU, .repeat = freeze_refused);
