/*
 * Two agents that keep to the sharing guide, a kernel and a profiler, share one CPU's counters in either order of
 * arrival: each finds a counter of its own, the least capable one that will do; each sees what the other has claimed;
 * neither changes what the other programmed, while it stays and when it leaves; and nothing is claimed afterwards.
 *
 * The agents are this program's own (pmu/sharing/agent.h): what is asked of the CPU is that its registers and INUSE
 * tell them the truth.
 */
#include "harness/chapter/sharing.h"

static void two_agents(struct test *t)
{
    agents_arrive(t, 2);
}

TEST("share.two-agents", .title = "Two agents share the counters, in any order of arrival",
     .spec = "PMU Sharing Guide, Sharing Guidelines", .covers = "A-036,B-022", .needs = NEEDS_VERSION(2),
     .scope = EACH_CPU, .run = two_agents);
