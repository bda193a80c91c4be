/*
 * An agent whose counter is reprogrammed by another finds that out, and may take the counter back, since it came first:
 * the control again holds what it programmed, and the counter counts again.
 */
#include "harness/sharing.h"

static bool counts(struct agent *agent, struct counter c)
{
    u64 before = counter_read(c);
    agent_count(agent, 2);
    return counter_read(c) != before;
}

static void taken_away(struct test *t, const char *unseen, u64 control)
{
    struct agent agent = {.name = "first"};
    struct counter c;
    if (agent_obtain(&agent, &wish_branches, &c) != OBTAINED_OWN)
        error(t, "no counter is free");
    u64 mine = agent.claim[0].control;
    check_equal(t, "not-verified", agent_verify(&agent), 0, MSR_PERFEVTSEL(c.index));
    write_msr(t, MSR_PERFEVTSEL(c.index), control);
    check_equal(t, unseen, agent_verify(&agent), BIT(c.bit), MSR_PERFEVTSEL(c.index));
    check_equal(t, "not-reclaimed", agent_reclaim(&agent), BIT(c.bit), MSR_PERFEVTSEL(c.index));
    check_bits(t, "control-not-back", MSR_PERFEVTSEL(c.index), ~0ull, mine);
    check_true(t, "counts-no-more", counts(&agent, c), counter_read(c), c.msr);
    agent_release_all(&agent);
}

static void reclaim(struct test *t)
{
    taken_away(t, "other-event-unseen", EVTSEL_EN | EVTSEL_OS | EVTSEL_ENCODING(ARCH_EVENT_CORE_CYCLES));
    taken_away(t, "zeroing-unseen", 0);
}

TEST("share.reclaim", .title = "A reprogrammed counter is noticed and taken back",
     .spec = "SDM 3B, Architectural Performance Monitoring", .covers = "B-022", .needs = {.version = 2, .event = 6},
     .scope = EACH_CPU, .run = reclaim);
