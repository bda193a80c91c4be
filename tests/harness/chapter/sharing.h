/* SPDX-License-Identifier: BSD-2-Clause */
/* Agents that share the calling CPU's PMU, for the tests of the sharing library. */
#pragma once

#include "harness/test.h"
#include "pmu/run/bracket.h"
#include "pmu/sharing/agent.h"

/* The wishes of these tests' agents: all retired instructions, all retired branches. */
extern const struct agent_wish wish_instructions, wish_branches;

/* Retired branches at CPL 0 with a PMI at each overflow: the wish of a sampling tool. */
extern const struct agent_wish wish_sampling;

/* Runs k iterations of the default block with the agent's counters on and all other counters unchanged. */
void agent_count(struct agent *agent, u64 k);

/*
 * Lets `n` agents, each with a different wish, arrive in every possible order, checks what they got, and lets them
 * leave. IA32_PERF_GLOBAL_INUSE must then read as before.
 */
#define AGENTS_MAX 3
void agents_arrive(struct test *t, unsigned n);

/* The counters in use, as agent_poll() reads them. */
u64 in_use_now(struct test *t);
/* An agent got no counter although all were free at first: ends the test as an error that names the counters in use. */
_Noreturn void no_counter(struct test *t);
/* If other software wrote our registers, the result says nothing about the CPU: the test ends as an error. */
void no_stranger(struct test *t, struct bracket *bracket);
/* The bits of IA32_PERF_GLOBAL_INUSE that the manual defines and this CPU enumerates: of fixed counters only 0 to 2. */
static inline u64 inuse_named_bits(const struct test *t)
{
    return (caps_counter_bits(t->caps) & ~MASK(62, 32 + INUSE_FIXED_NAMED)) | INUSE_PMI;
}
