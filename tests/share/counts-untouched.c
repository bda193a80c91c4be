/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter counts only for its agent: others that come, start, stop and leave meanwhile, each changing only its own
 * bits of IA32_PERF_GLOBAL_CTRL, take nothing from its count and add nothing to it.
 *
 * A short and a long block are counted, once alone, and once with another agent that arrives in between, counts its own
 * block and leaves again. The difference of the two counts must be the same both times: the right count is the subject
 * of other tests.
 */
#include "harness/chapter/sharing.h"

#define K1 2
#define K2 6

static u64 counted(struct test *t, struct agent *agent, struct counter c, u64 k)
{
    u64 before = counter_read(c);
    agent_count(agent, k);
    return (counter_read(c) - before) & counter_mask(t->caps->gp_width);
}

static void visit(struct test *t)
{
    struct agent visitor = {.name = "visitor"};
    struct counter c;
    if (agent_obtain(&visitor, &wish_branches, &c) != OBTAINED_OWN)
        no_counter(t);
    agent_count(&visitor, K1);
    agent_release_all(&visitor);
}

static u64 slope_of(struct test *t, struct agent *agent, bool visited)
{
    struct counter c = agent->claim[0].counter;
    u64 shorter = counted(t, agent, c, K1);
    if (visited)
        visit(t);
    return counted(t, agent, c, K2) - shorter;
}

static bool once(struct test *t, void *argument)
{
    struct agent *agent = argument;
    u64 alone = slope_of(t, agent, false), visited = slope_of(t, agent, true);
    check_equal(about(t, ASPECT_BRANCHES), "count-disturbed", visited, alone, agent->claim[0].counter.msr);
    return true;
}

static void counts_untouched(struct test *t)
{
    struct agent agent = {.name = "owner"};
    struct counter c;
    if (t->caps->gp_count < 2)
        skip(t, "CPUID.0AH:EAX=0x%08x: two counters are needed", t->caps->leaf0a.eax);
    if (agent_obtain(&agent, &wish_branches, &c) != OBTAINED_OWN)
        no_counter(t);
    repeat_clean(t, once, &agent);
    agent_release_all(&agent);
}

TEST("share.counts-untouched", .title = "An agent's count does not depend on who else counts",
     .spec = "PMU Sharing Guide, Sharing Guidelines", .covers = "B-061", .needs = {.version = 2, .event = 6},
     .scope = EACH_CPU, .run = counts_untouched);
