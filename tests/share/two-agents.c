/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two agents that keep to the sharing guide, a kernel and a profiler, share one CPU's counters in either order of
 * arrival: each finds its own counter, the least capable one that is sufficient; each sees what the other has claimed;
 * neither changes what the other programmed, while it stays or when it leaves; and nothing is claimed afterwards.
 *
 * The agents are this program's own (pmu/sharing/agent.h): judged is that the CPU's registers and INUSE tell them the
 * truth.
 */
#include "harness/chapter/sharing.h"

static void two_agents(struct test *t)
{
    agents_arrive(t, 2);
}

TEST("share.two-agents", .title = "Two agents share the counters, in any order of arrival",
     .spec = "PMU Sharing Guide, Sharing Guidelines", .covers = "A-036,B-022", .needs = NEEDS_VERSION(2),
     .scope = EACH_CPU, .run = two_agents);
