/* Agents that share the calling CPU's PMU, for the tests of the sharing library. */
#pragma once

#include "harness/test.h"
#include "pmu/run/bracket.h"
#include "pmu/sharing/agent.h"

/* What agents of these tests wish for: everything that retires. */
extern const struct agent_wish wish_instructions, wish_branches;

/* Retired branches at CPL 0 with a PMI at each overflow: what a sampling tool wishes for. */
extern const struct agent_wish wish_sampling;

/* The k iterations of the default block, with the agent's counters on meanwhile and everybody else's as they are. */
void agent_count(struct agent *agent, u64 k);

/*
 * Lets `n` agents arrive in each order in which they can, each with a wish of its own, checks what they got, and lets
 * them leave. IA32_PERF_GLOBAL_INUSE must then read as before.
 */
#define AGENTS_MAX 3
void agents_arrive(struct test *t, unsigned n);

/* What is claimed, by the look of agent_poll(). */
u64 in_use_now(struct test *t);
/* An agent got none, though the test began with all of them free: the test is an error that tells what is in use. */
_Noreturn void no_counter(struct test *t);
/* Someone else who writes our registers spoils the scene, and that is no answer of the CPU's: the test is an error. */
void no_stranger(struct test *t, struct bracket *bracket);
/* The bits of IA32_PERF_GLOBAL_INUSE that the manual names and this CPU enumerates: fixed counters 0 to 2 only. */
static inline u64 inuse_named_bits(const struct test *t)
{
    return (caps_counter_bits(t->caps) & ~MASK(62, 35)) | INUSE_PMI;
}
