/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An agent whose counter is reprogrammed by another notices it, and may take the counter back, since it came first: the
 * counter counts again.
 */
#include "harness/chapter/sharing.h"

static bool counts(struct agent *agent, struct counter c)
{
    u64 before = counter_read(c);
    agent_count(agent, 2);
    return counter_read(c) != before;
}

static void taken_away(struct test *t, u64 control)
{
    struct agent agent = {.name = "first"};
    struct counter c;
    if (!check_equal(t, "no-counter", agent_obtain(&agent, &wish_branches, &c), OBTAINED_OWN, 0))
        return;
    write_msr(t, MSR_PERFEVTSEL(c.index), control);
    check_equal(t, "change-unseen", agent_verify(&agent), BIT(c.bit), MSR_PERFEVTSEL(c.index));
    agent_reclaim(&agent);
    check_true(t, "counts-no-more", counts(&agent, c), counter_read(c), "a count", c.msr);
    agent_release_all(&agent);
}

static void reclaim(struct test *t)
{
    taken_away(t, EVTSEL_EN | EVTSEL_OS | EVTSEL_ENCODING(ARCH_EVENT_CORE_CYCLES));
    taken_away(t, 0);
}

TEST("share.reclaim", .title = "A reprogrammed counter is noticed and taken back",
     .spec = "PMU Sharing Guide, Sharing Guidelines", .covers = "B-022", .needs = {.version = 2, .event = 6},
     .scope = EACH_CPU, .run = reclaim);
