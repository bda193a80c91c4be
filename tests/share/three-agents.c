/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Three agents in each of the six orders of arrival: a kernel that counts instructions, a profiler that counts
 * branches, and a sampler that wants an interrupt. The checks are those of share.two-agents.
 */
#include "harness/chapter/sharing.h"

static void three_agents(struct test *t)
{
    agents_arrive(t, 3);
}

TEST("share.three-agents", .title = "Three agents share the counters, in any order of arrival",
     .spec = "PMU Sharing Guide, Sharing Guidelines", .covers = "A-037,B-022", .needs = NEEDS_VERSION(2),
     .scope = EACH_CPU, .run = three_agents);
