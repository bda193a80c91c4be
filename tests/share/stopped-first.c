/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter is stopped before its value is written: by the agent that takes it, since its bit of IA32_PERF_GLOBAL_CTRL
 * may already be set (reset sets the bits of the general-purpose counters), and by the agent that releases it while it
 * runs. In the opposite order, events between the two writes would stay in the counter for the next user.
 */
#include "harness/chapter/sharing.h"

static void taken(struct test *t, struct agent *agent, const struct agent_wish *wish)
{
    struct counter c;
    write_msr(t, MSR_PERF_GLOBAL_CTRL, caps_counter_bits(t->caps));
    if (agent_obtain(agent, wish, &c) != OBTAINED_OWN)
        no_counter(t);
    check_equal(t, "programmed-while-running", counter_read(c), 0, c.msr);
    check_bits(t, "runs-without-start", MSR_PERF_GLOBAL_CTRL, BIT(c.bit), 0);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
}

static void given_back(struct test *t, struct agent *agent)
{
    struct counter c = agent->claim[0].counter;
    agent_start(agent);
    u64 running = counter_read(c);
    agent_release_all(agent);
    u64 left = counter_read(c);
    check_equal(t, "released-while-running", left, 0, c.msr);
    check_true(t, "nothing-counted", running != 0 || !counter_can_count(c, ARCH_EVENT_INSTRUCTIONS), running, "a count",
               c.msr);
}

static bool stopped_first(struct test *t)
{
    static const struct agent_wish *const wishes[] = {&wish_instructions, &wish_branches, &wish_sampling};
    for_each_row (wishes, wish) {
        struct agent agent = {.name = "agent"};
        taken(t, &agent, *wish);
        given_back(t, &agent);
    }
    return more_samples(t);
}

TEST("share.stopped-first", .title = "A counter is stopped before it is programmed and before it is released",
     .spec = "PMU Sharing Guide, General PerfMon programming guidelines", .covers = "S-006",
     .needs = {.version = 2, .event = 6}, .scope = EACH_CPU, .repeat = stopped_first);
