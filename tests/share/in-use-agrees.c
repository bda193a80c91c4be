/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * If IA32_PERF_GLOBAL_INUSE exists, one read of it says what older agents work out from all the controls. Both must
 * agree before, while and after agents hold counters: otherwise an agent that looks one way takes what an agent that
 * looks the other way has claimed.
 */
#include "harness/chapter/sharing.h"

static void compare(struct test *t, const char *label)
{
    struct pmu_state state;
    /* The manual defines fixed counters 0 to 2 only; bits for others are not judged. */
    u64 named = caps_gp_bits(t->caps) | MASK(34, 32) | INUSE_PMI;
    agent_poll(t->caps, &state);
    check_equal(t, label, state.in_use & named, state.computed & named, MSR_PERF_GLOBAL_INUSE);
}

static void in_use_agrees(struct test *t)
{
    struct agent agent = {.name = "agent"};
    struct counter c;
    compare(t, "unclaimed");
    agent_obtain(&agent, &wish_instructions, &c);
    agent_obtain(&agent, &wish_branches, &c);
    compare(t, "claimed");
    agent_start(&agent);
    compare(t, "running");
    agent_stop(&agent);
    agent_obtain(&agent, &wish_sampling, &c);
    compare(t, "sampling");
    agent_release_all(&agent);
    compare(t, "released");
}

TEST("share.in-use-agrees", .title = "INUSE agrees with the controls",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "A-035,B-022",
     .needs = NEEDS_VERSION(4), .scope = EACH_CPU, .run = in_use_agrees);
